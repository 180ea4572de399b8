import { numbered, type Scenario } from './scenario.js';

/** The backlog grows for so long at least: what is calm for less cannot be measured. */
const GROWS_MS = 5_500;
/** From three relays to one again, when there is time enough for them to have drained it. */
const DRAINS_MS = 12_000;

export const backlogScaleOut: Scenario = {
  name: 'backlog-scale-out',
  story:
    'Orders come twice as fast as one relay may send: the backlog grows by half of them, two more relays drain it, then there is one again.',
  inCi: true,
  plan: ({ rate, seconds }) => {
    const outMs = Math.max(GROWS_MS, Math.round((seconds * 1000) / 3));
    const backMs = seconds * 800;
    const limit = Math.ceil(rate / 2);
    return {
      // A batch is sent long before its leases end.
      settings: { FAST_PATH: 'off', RELAY_RATE: String(limit), RELAY_BATCH: String(Math.ceil(limit / 2)) },
      world: { relays: 1 },
      faults: numbered([
        { atMs: outMs, fault: { kind: 'scale', target: 'relay', to: 3 } },
        ...(backMs >= outMs + DRAINS_MS
          ? [{ atMs: backMs, fault: { kind: 'scale', target: 'relay', to: 1 } } as const]
          : []),
      ]),
      judgesThroughput: true,
      expected: { duplicatesAtMost: 0 },
    };
  },
};
