import type { Step } from '../fail-points/steps.js';
import type { Fault, Link } from '../plan.js';
import { INVENTORY_SERVICE_STEPS } from './inventory-kill.js';
import { ORDER_SERVICE_STEPS } from './order-service-kill.js';
import type { Random } from './random.js';
import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

/** Each has work all the time: a line that nobody uses cannot be broken. */
const LINKS: readonly Link[] = ['order-service→broker', 'inventory→broker', 'inventory→inventory-db'];
const PROCESSES = ['relay-1', 'relay-2', 'order-service-1', 'inventory-service-1', 'inventory-relay-1'];
const CRASHES: readonly (readonly [string, readonly Step[]])[] = [
  ['order-service-1', ORDER_SERVICE_STEPS],
  ['inventory-service-1', INVENTORY_SERVICE_STEPS],
];

/** A mixture by seed; heavier faults are rarer, and no two of them begin within two seconds. */
function anyFault(random: Random): Fault {
  const makers: (() => Fault)[] = [
    () => ({ kind: 'kill', target: random.pick(PROCESSES), backAfterMs: random.integer(200, 2_000) }),
    () => ({ kind: 'kill', target: random.pick(PROCESSES), backAfterMs: random.integer(200, 2_000) }),
    () => {
      const [target, steps] = random.pick(CRASHES);
      return { kind: 'crash-at', target, step: random.pick(steps), backAfterMs: 500 };
    },
    () => ({ kind: 'stop', target: random.pick(PROCESSES), backAfterMs: random.integer(100, 1_000) }),
    () => ({ kind: 'pause', target: random.pick(PROCESSES), forMs: random.integer(500, 7_000) }),
    () => ({
      kind: 'cut',
      link: random.pick(LINKS),
      how: random.pick(['swallow', 'reset']),
      direction: random.pick(['upstream', 'downstream', 'both']),
      forMs: random.integer(300, 4_000),
    }),
    () => ({
      kind: 'slow',
      link: random.pick(LINKS),
      latencyMs: random.integer(5, 60),
      jitterMs: 5,
      kilobytesPerSecond: null,
      forMs: random.integer(1_000, 4_000),
    }),
    () => ({
      kind: 'kill',
      target: random.pick(['broker', 'order-db', 'inventory-db']),
      backAfterMs: random.integer(500, 2_000),
    }),
    () => ({ kind: 'alarm', forMs: random.integer(1_000, 4_000) }),
    () => ({ kind: 'deadlocks', forMs: random.integer(1_000, 4_000) }),
  ];
  return random.pick(makers)();
}

const APART_MS = 3_000;
const AT_MOST_LATE_MS = 1_000;
/** In each minute a storm, then a lull: only orders that no fault meets show whether a storm slows those after it. */
const MINUTE_MS = 60_000;
const STORM_MS = 36_000;
/** The last one is over while orders still come. */
const LAST_BEFORE_END_MS = 8_000;

/** From the beginning of the load; at least one. */
function timesOfStorms(seconds: number): number[] {
  const slots = Math.max(1, Math.floor((seconds * 1000 - LAST_BEFORE_END_MS) / APART_MS));
  return Array.from({ length: slots }, (_, slot) => slot * APART_MS).filter((atMs) => atMs % MINUTE_MS < STORM_MS);
}

export const everything: Scenario = {
  name: 'everything',
  story:
    'All of it at random, by seed, in a storm and a lull each minute: kills, halts, cuts, slow lines, alarms and dead-locks.',
  inCi: false,
  plan: ({ seconds }, random) => ({
    settings: GENTLE_CATCH_UP,
    world: { links: LINKS, relays: 2 },
    faults: numbered(
      timesOfStorms(seconds).map((atMs) => ({
        atMs: 1_000 + atMs + random.integer(0, AT_MOST_LATE_MS),
        fault: anyFault(random),
      })),
    ),
  }),
};

export const soak: Scenario = {
  name: 'soak',
  story: 'The times as they are by default, a long load, and an outage of the broker every few minutes.',
  inCi: false,
  plan: ({ seconds }) => ({
    settings: { ...DEFAULT_TIMES, RELAY_RATE: CATCHING_UP },
    faults: numbered(
      Array.from({ length: Math.max(1, Math.floor(seconds / 240)) }, (_, index) => ({
        atMs: 20_000 + index * 240_000,
        fault: { kind: 'stop' as const, target: 'broker', backAfterMs: Math.min(30_000, seconds * 250) },
      })),
    ),
  }),
};

/**
 * Two relays of this work off half a minute in two and a half. Twice 500 a second, beside the load itself, is more than two
 * cores have: orders then wait for many seconds until the backlog is gone.
 */
const CATCHING_UP = '125';

/** What a process has when nobody sets it; see SETTINGS in message-table. */
const DEFAULT_TIMES = {
  SENDING_LEASE_MS: '30000',
  ATTEMPT_TIMEOUT_MS: '5000',
  RETRY_BASE_MS: '2000',
  RETRYING_LEASE_MS: '30000',
  AMQP_HEARTBEAT_S: '10',
  AMQP_DEADLINE_MS: '5000',
  DB_DEADLINE_MS: '10000',
  RELAY_POLL_MS: '500',
};
