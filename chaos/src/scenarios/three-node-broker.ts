import { numbered, type Scenario } from './scenario.js';

/** Three brokers share the machine with everything else. */
const RATE = 300;
const SHORTEST_SECONDS = 36;
/** While a queue has no leader it refuses all; that opens its breaker, which rests 10 s whenever the leader is there again. */
const BREAKER_RESTS_MS = 12_000;

export const threeNodeBroker: Scenario = {
  name: 'three-node-broker',
  story:
    'Of three nodes with quorum queues two are killed in turn while clients are connected to them: orders go on through the others.',
  inCi: false,
  plan: ({ rate, seconds }, random) => ({
    load: { rate: Math.min(rate, RATE), seconds: Math.max(seconds, SHORTEST_SECONDS) },
    world: { brokerNodes: 3 },
    faults: numbered([
      { atMs: 2_000 + random.integer(0, 700), fault: { kind: 'kill-node', target: 'broker-1', backAfterMs: 4_000 } },
      { atMs: 20_000 + random.integer(0, 700), fault: { kind: 'kill-node', target: 'broker-2', backAfterMs: 4_000 } },
    ]),
    expected: {
      goesOn: {
        processes: ['order-service-1', 'relay-1', 'relay-2'],
        silenceMs: BREAKER_RESTS_MS,
        orders: { first: 0, every: 1 },
      },
    },
  }),
};
