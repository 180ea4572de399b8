import type { RunFacts } from '../facts.js';
import { poisonBodies } from '../nemesis/poison-bodies.js';
import { KILLER } from '../sabotage/preloads/killer-setting.js';
import { aRun } from './facts-builder.js';
import { flip, withBooks, withHistory } from './mutate.js';

const BODIES = 12;
const NOT_JSON = 'The body is not JSON';

/** A correct run among whose deductions the nemesis published bodies that nobody can read: each was noted once, as FAILED. */
export function aPoisonedRun(): RunFacts {
  const { faults } = aRun().plan;
  const run = aRun({ faults: [...faults, { id: 'f2', atMs: 3_000, fault: { kind: 'poison', bodies: BODIES } }] });
  const measured = withHistory(run, (record) =>
    record.kind === 'fault' && record.id === 'f2' && record.phase === 'end'
      ? { ...record, effect: { poisoned: BODIES } }
      : record,
  );
  const bodies = poisonBodies(BODIES);
  const ids = [...new Set(bodies.map(({ notedAs }) => notedAs))];
  return withBooks(measured, ({ deductionNotes, tap }) => ({
    deductionNotes: [
      ...deductionNotes,
      ...ids.map((messageId, index) => ({
        ...{ id: String(900 + index), messageId, status: 'FAILED', errorMsg: NOT_JSON, version: 0 },
      })),
    ],
    tap: new Map([...(tap ?? []), ...bodies.map(({ messageId }) => [messageId ?? '', 2] as const)]),
  }));
}

/** A run in which the message of order 3 kills whoever sends it; as it is told here, it was sent all the same. */
export function aRunWithKiller(): RunFacts {
  const run = aRun();
  const { productId = 0, quantity = 0 } = run.books.placed[3] ?? {};
  const settings = { ...run.plan.world.settings, [KILLER]: JSON.stringify({ productId, quantity }) };
  return { ...run, plan: { ...run.plan, world: { ...run.plan.world, settings } } };
}

/** Of order `index` the message was given up. */
export const givenUp = (facts: RunFacts, index: number): RunFacts =>
  withBooks(facts, ({ orderMessages }) => ({
    orderMessages: flip(orderMessages, index, { status: 'FAILED', errorMsg: 'worker-lost: so many leases' }),
  }));
