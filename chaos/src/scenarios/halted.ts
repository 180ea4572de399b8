import type { Step } from '../fail-points/steps.js';
import type { PlannedFault } from '../plan.js';
import { numbered, type Scenario } from './scenario.js';

/** Longer than the lease of a claim. */
const PAST_THE_LEASE_MS = 6_500;

const haltsAt = (
  step: Step,
  halts: readonly { readonly target: string; readonly atMs: number; readonly forMs: number }[],
  then: 'go-on' | 'die' = 'go-on',
): PlannedFault[] =>
  numbered(halts.map(({ atMs, ...halt }) => ({ atMs, fault: { kind: 'halt-at', ...halt, step, then } })));

export const relayHalted: Scenario = {
  name: 'relay-halted',
  story: 'A relay is halted between confirm and settle until its lease is over: what it then writes finds no row.',
  inCi: false,
  plan: () => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: haltsAt('after-confirm-before-settle', [
      { target: 'relay-1', atMs: 500, forMs: PAST_THE_LEASE_MS },
      { target: 'relay-2', atMs: 1_500, forMs: PAST_THE_LEASE_MS },
    ]),
    requiredCells: ['after-confirm-before-settle × halt-at'],
  }),
};

export const intakeHalted: Scenario = {
  name: 'intake-halted',
  story: 'The order service is halted before COMMIT, and dies there: relays see nothing of what it had written.',
  inCi: false,
  plan: () => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    faults: haltsAt(
      'after-accept-before-commit',
      [
        { target: 'order-service-1', atMs: 1_000, forMs: 1_000 },
        { target: 'order-service-1', atMs: 5_000, forMs: 1_000 },
      ],
      'die',
    ),
    requiredCells: ['after-accept-before-commit × halt-at'],
  }),
};

/** The other consumer is away until the broker has given up on the halted one, so that it begins with its deliveries. */
export const inventoryHalted: Scenario = {
  name: 'inventory-halted',
  story:
    'A consumer is halted with its transaction open, and another one is given its deliveries: both commit, one after the other.',
  inCi: false,
  plan: () => ({
    world: { inventoryServices: 2 },
    // Ten seconds of work are made up for beside the load: with 1000 a second, two cores are not enough.
    rateAtMost: 700,
    faults: numbered([
      { atMs: 500, fault: { kind: 'stop', target: 'inventory-service-2', backAfterMs: 8_000 } },
      {
        atMs: 1_500,
        fault: {
          kind: 'halt-at',
          target: 'inventory-service-1',
          step: 'after-accept-before-commit',
          forMs: 10_000,
          then: 'go-on',
        },
      },
    ]),
    requiredCells: ['after-accept-before-commit × halt-at'],
  }),
};

export const inventoryCrash: Scenario = {
  name: 'inventory-crash',
  story: 'The inventory service is killed with everything written and nothing committed: it all happens once more.',
  inCi: false,
  plan: ({ seconds }) => ({
    faults: numbered(
      [0.2, 0.6].map((part) => ({
        atMs: Math.round(part * seconds * 1000),
        fault: {
          kind: 'crash-at' as const,
          target: 'inventory-service-1',
          step: 'after-accept-before-commit' as const,
          backAfterMs: 500,
        },
      })),
    ),
    requiredCells: ['after-accept-before-commit × kill'],
  }),
};
