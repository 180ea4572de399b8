import type { PlannedFault } from '../plan.js';
import { numbered, type Scenario, type ScenarioPlan } from './scenario.js';

/** Half of the products come late, twice: deductions fail, are kept, and are handled again. */
const late = (plan: Omit<ScenarioPlan, 'faults'>, more: readonly Omit<PlannedFault, 'id'>[] = []): ScenarioPlan => ({
  ...plan,
  settings: { MAX_RETRY_COUNT: '20', RETRY_MAX_MS: '1000', REDELIVERY_POLL_MS: '100', ...plan.settings },
  faults: numbered([
    { atMs: 1_000, fault: { kind: 'missing-products', forMs: 1_500 } },
    { atMs: 5_500, fault: { kind: 'missing-products', forMs: 1_500 } },
    ...more,
  ]),
});

export const lateProducts: Scenario = {
  name: 'late-products',
  story: 'Orders come before their products: their deductions are owed, tried again, and take effect once.',
  inCi: false,
  plan: () => late({ expected: { duplicatesAtMost: 0 } }),
};

/** The lease of a redelivery. */
const LEASE = { RETRYING_LEASE_MS: '1000' };

export const redeliveryHalted: Scenario = {
  name: 'redelivery-halted',
  story:
    'A consumer is halted with a redelivery in its hands until another has done it: its own effect is rolled back.',
  inCi: false,
  plan: () =>
    late(
      {
        settings: LEASE,
        world: { inventoryServices: 2 },
        requiredCells: ['after-retry-claim-before-effect × halt-at'],
      },
      [1_900, 6_400].map((atMs, index) => ({
        atMs,
        fault: {
          kind: 'halt-at' as const,
          target: `inventory-service-${String(1 + index)}`,
          step: 'after-retry-claim-before-effect' as const,
          forMs: 3_000,
          then: 'go-on' as const,
        },
      })),
    ),
};

export const copiesHalted: Scenario = {
  name: 'copies-halted',
  story:
    'What failed goes through its queue again, and a consumer is halted with copies in its hands until their claims are over.',
  inCi: false,
  plan: () =>
    late(
      {
        settings: { ...LEASE, REDELIVERY: 'republish' },
        world: { inventoryServices: 2 },
        notJudged: {
          I10: 'copies are published beyond one per message, by design',
          I14: 'the tap sees copies, which the ledger of the producers does not know',
        },
      },
      [2_400, 6_900].map((atMs, index) => ({
        atMs,
        fault: { kind: 'pause' as const, target: `inventory-service-${String(1 + index)}`, forMs: 3_000 },
      })),
    ),
};
