import { decision, readBody, type Decision } from '@counterfoil/contracts';
import { PermanentError, type Effect, type EffectItem, type Transaction } from '@counterfoil/message-table';
import { byId } from '@counterfoil/message-table/rows';

import { decideOrders, findStates } from './orders-store.js';

/** CREATED → CONFIRMED or REJECTED by the inventory's decision, for a batch of orders at once. */
export const decisionEffect = (maxRetryCount: number): Effect<Decision> => ({
  name: 'order.deduction-decided',
  maxRetryCount,
  read: ({ body }) => readBody(decision, body),
  apply: async (trx, items) => {
    for (const group of groupByOutcome(items)) await decideGroup(trx, group);
  },
});

interface Group {
  readonly outcome: 'CONFIRMED' | 'REJECTED';
  readonly reason: string | null;
  readonly orderIds: string[];
}

async function decideGroup(trx: Transaction, { outcome, reason, orderIds }: Group): Promise<void> {
  const changed = await decideOrders(trx, outcome, reason, orderIds);
  if (changed === orderIds.length) return;
  const states = await findStates(trx, orderIds);
  for (const id of orderIds) {
    const status = states.get(id);
    if (status === undefined) throw new Error(`There is no order ${id} (yet)`);
    if (status !== outcome)
      throw new PermanentError(`decision-conflict: order ${id} is ${status}, the message says ${outcome}`);
  }
}

function groupByOutcome(items: readonly EffectItem<Decision>[]): Group[] {
  const groups = new Map<string, Group>();
  const ordered = items.map(({ value }) => ({ ...value, id: value.orderId })).sort(byId);
  for (const { orderId, outcome, reason = null } of ordered) {
    const key = `${outcome} ${reason ?? ''}`;
    const group = groups.get(key) ?? { outcome, reason, orderIds: [] };
    groups.set(key, group);
    if (group.orderIds.at(-1) !== orderId) group.orderIds.push(orderId);
  }
  return [...groups.values()];
}
