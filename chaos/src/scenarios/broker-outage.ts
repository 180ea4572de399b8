import { numbered, type Scenario } from './scenario.js';

export const brokerOutage: Scenario = {
  name: 'broker-outage',
  story:
    'The broker is away for half a minute: orders are taken, nothing FAILED, and all of it is sent without a hand.',
  inCi: false,
  plan: ({ seconds }) => ({
    faults: numbered([
      {
        atMs: 3_000,
        fault: { kind: 'stop', target: 'broker', backAfterMs: Math.max(5_000, Math.min(30_000, (seconds - 6) * 1000)) },
      },
    ]),
  }),
};
