import { numbered, type Scenario } from './scenario.js';

/** Longer than every deadline and heartbeat. */
const OFF_MS = 6_000;
/**
 * What a session of a vanished client holds in a database is held until the session ends, a minute after its last word:
 * the databases come first, and the load goes on until then.
 */
const SHORTEST_SECONDS = 60;
const RATE = 300;

/** Half of the processes are connected directly and see their connections end, half through a proxy and see nothing. */
export const unplugged: Scenario = {
  name: 'unplugged',
  story:
    'Each database and the broker lose their network and get it back, running all the time: what their vanished clients held is let go, and nothing is lost.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    rateAtMost: RATE,
    load: { seconds: Math.max(seconds, SHORTEST_SECONDS) },
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    world: { onlyIn: 'containers', links: ['relay→broker', 'relay→order-db', 'inventory→inventory-db'] },
    faults: numbered([
      { atMs: 1_500 + random.integer(0, 700), fault: { kind: 'disconnect', target: 'order-db', forMs: OFF_MS } },
      { atMs: 13_500 + random.integer(0, 700), fault: { kind: 'disconnect', target: 'inventory-db', forMs: OFF_MS } },
      { atMs: 26_000 + random.integer(0, 700), fault: { kind: 'disconnect', target: 'broker', forMs: OFF_MS } },
    ]),
  }),
};
