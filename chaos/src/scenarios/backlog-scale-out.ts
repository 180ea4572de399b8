import { numbered, type Scenario } from './scenario.js';

export const backlogScaleOut: Scenario = {
  name: 'backlog-scale-out',
  story:
    '1000 orders/s meet one relay of 500/s: the backlog grows by 500/s, two more relays drain it, then one is enough again.',
  inCi: true,
  plan: ({ seconds }) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '500' },
    world: { relays: 1 },
    faults: numbered([{ atMs: Math.round((seconds * 1000) / 3), fault: { kind: 'scale', target: 'relay', to: 3 } }]),
    judgesThroughput: true,
    expected: { duplicatesAtMost: 0 },
  }),
};
