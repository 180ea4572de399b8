import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

export const brokerAlarm: Scenario = {
  name: 'broker-alarm',
  story:
    'The broker raises its memory alarm and reads from nobody who publishes: orders are taken, nothing is claimed.',
  inCi: false,
  plan: ({ seconds }) => ({
    settings: GENTLE_CATCH_UP,
    faults: numbered([{ atMs: 2_000, fault: { kind: 'alarm', forMs: Math.min(15_000, seconds * 500) } }]),
  }),
};
