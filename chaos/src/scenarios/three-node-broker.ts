import { numbered, type Scenario } from './scenario.js';

/** Three brokers share the machine with everything else. */
const RATE = 300;
const SHORTEST_SECONDS = 36;
/** While a queue has no leader, for a second or two, it refuses all. That opens its breaker, which then rests for at most as long again. */
const ELECTION_AND_BREAKER_MS = 6_000;

export const threeNodeBroker: Scenario = {
  name: 'three-node-broker',
  story:
    'Of three nodes with quorum queues two are killed in turn while clients are connected to them: orders go on through the others.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    rateAtMost: RATE,
    load: { seconds: Math.max(seconds, SHORTEST_SECONDS) },
    world: { brokerNodes: 3 },
    faults: numbered([
      { atMs: 2_000 + random.integer(0, 700), fault: { kind: 'kill-node', target: 'broker-1', backAfterMs: 4_000 } },
      { atMs: 20_000 + random.integer(0, 700), fault: { kind: 'kill-node', target: 'broker-2', backAfterMs: 4_000 } },
    ]),
    expected: {
      goesOn: {
        processes: ['order-service-1', 'relay-1', 'relay-2'],
        silenceMs: ELECTION_AND_BREAKER_MS,
        orders: { first: 0, every: 1 },
      },
    },
  }),
};
