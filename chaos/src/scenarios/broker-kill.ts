import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

export const brokerKill: Scenario = {
  name: 'broker-kill',
  story: 'The broker is killed under load and comes back; nothing that it confirmed is missing.',
  inCi: true,
  plan: ({ seconds }, random) => ({
    settings: GENTLE_CATCH_UP,
    faults: numbered([
      {
        atMs: Math.round(0.3 * seconds * 1000) + random.integer(0, 700),
        fault: { kind: 'kill', target: 'broker', backAfterMs: 1_000 },
      },
    ]),
  }),
};
