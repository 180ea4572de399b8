import { numbered, type Scenario } from './scenario.js';

/** One database more than elsewhere on the same machine. */
const RATE = 400;

/** Orders with an odd index are those of the second shard; the first one's relay and database are killed. */
export const twoShards: Scenario = {
  name: 'two-shards',
  story:
    'Orders live in two databases, each with its own relays: a relay and the database of one are killed, and the other one notices nothing.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '500' },
    rateAtMost: RATE,
    world: { shards: ['a', 'b'], orderServices: 2, relays: 4 },
    faults: numbered([
      {
        atMs: 1_000 + random.integer(0, 500),
        fault: { kind: 'kill', target: 'relay-1', backAfterMs: 2_000 },
      },
      {
        atMs: Math.round(0.35 * seconds * 1000) + random.integer(0, 700),
        fault: { kind: 'kill', target: 'order-db', backAfterMs: 3_000 },
      },
    ]),
    notJudged: { I17: 'reconcile compares one order database with the inventory' },
    expected: {
      goesOn: { processes: ['relay-2', 'relay-4'], orders: { first: 1, every: 2 } },
    },
  }),
};
