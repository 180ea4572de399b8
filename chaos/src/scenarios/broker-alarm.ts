import { numbered, type Scenario } from './scenario.js';

export const brokerAlarm: Scenario = {
  name: 'broker-alarm',
  story:
    'The broker raises its memory alarm and reads from nobody who publishes: orders are taken, nothing is claimed.',
  inCi: false,
  plan: ({ seconds }) => ({
    // Of two cores, more would leave too little for the orders that come while what has waited is worked off.
    settings: { RELAY_RATE: '250', RELAY_BATCH: '100' },
    faults: numbered([{ atMs: 2_000, fault: { kind: 'alarm', forMs: Math.min(15_000, seconds * 500) } }]),
  }),
};
