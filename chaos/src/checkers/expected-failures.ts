import type { RunFacts } from '../facts.js';
import { poisonBodies, type PoisonBody } from '../nemesis/poison-bodies.js';
import type { Plan } from '../plan.js';
import { killerIn } from '../sabotage/preloads/killer-setting.js';

/**
 * What the plan itself makes fail, by its identity. Never by what a row says of why it failed: a row that fails for that
 * reason as well, and was not to, says the same.
 */

type Planned = Pick<Plan, 'faults'>;

const poisonOf = ({ faults }: Planned): PoisonBody[] =>
  faults.flatMap(({ fault }) => (fault.kind === 'poison' ? poisonBodies(fault.bodies) : []));

/** Ids of bodies that the nemesis publishes among the deductions, as the tap sees them: one without an id has none there either. */
export const publishedByNemesis = (plan: Planned): ReadonlySet<string> =>
  new Set(poisonOf(plan).map(({ messageId }) => messageId ?? ''));

/** What the product itself has published of what the tap saw on the way of the deductions. */
export function withoutNemesis(plan: Planned, tap: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const strangers = publishedByNemesis(plan);
  return strangers.size === 0 ? tap : new Map([...tap].filter(([id]) => !strangers.has(id)));
}

/** Ids under which these are noted, as FAILED. */
export const notesOfNemesis = (plan: Planned): ReadonlySet<string> =>
  new Set(poisonOf(plan).map(({ notedAs }) => notedAs));

/** The order whose message takes its sender along, as far as it was placed; null: the plan has none. */
export function killerOrders({ plan, books }: Pick<RunFacts, 'plan' | 'books'>): ReadonlySet<string> | null {
  const killer = killerIn(plan.world.settings);
  if (killer === null) return null;
  const placed = books.placed.filter(
    ({ productId, quantity }) => productId === killer.productId && quantity === killer.quantity,
  );
  return new Set(placed.map(({ orderId }) => orderId));
}

export interface PlannedFailures {
  /** Ids of order messages that are FAILED as planned. */
  readonly messages: ReadonlySet<string>;
  /** Ids of deductions whose notes are to be FAILED. */
  readonly notes: ReadonlySet<string>;
}

export function plannedFailures(facts: Pick<RunFacts, 'plan' | 'books'>): PlannedFailures {
  const givenUp = ordersGivenUp(facts);
  const messages = facts.books.orderMessages.filter(({ orderId }) => givenUp.has(orderId));
  return { messages: new Set(messages.map(({ messageId }) => messageId)), notes: notesOfNemesis(facts.plan) };
}

/** Orders whose deduction was given up as planned: they take no stock and get no decision. */
export function ordersGivenUp(facts: Pick<RunFacts, 'plan' | 'books'>): Set<string> {
  const killers = killerOrders(facts);
  if (killers === null) return new Set();
  const failed = facts.books.orderMessages.filter(({ orderId, status }) => status === 'FAILED' && killers.has(orderId));
  return new Set(failed.map(({ orderId }) => orderId));
}
