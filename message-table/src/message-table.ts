import type { Channel } from './channels/channel.js';
import { channelMap } from './channels/channel-map.js';
import type { Database } from './database/database.js';
import { HomeDatabase } from './database/home-database.js';
import { DEFAULT_OPTIONS } from './default-options.js';
import { createSnowflake } from './maintenance/snowflake.js';
import { WorkerLease } from './maintenance/worker-lease.js';
import { Acceptor } from './producer/accept.js';
import { Destinations, type BreakerOptions } from './producer/destinations.js';
import { FastPath } from './producer/fast-path.js';
import { Sender } from './producer/sender.js';
import { createSettler } from './producer/settler.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { createPauseWatch } from './producer/watch-obstacles.js';
import type { Service } from './service/lifecycle.js';
import type { IdRange } from './service/setting-types.js';
import { createLoop, jittered, type Loop } from './service/loop.js';
import { assertUsableKey } from './usable-key.js';

export interface MessageTableOptions {
  /** The pool of the database that has the message tables; of {@link openDatabase}. */
  readonly db: Database;
  /** The ways out; a command for another one is refused. */
  readonly channels: readonly Channel[];
  /** Who this process is, for people: stands in `claimed_by`. No two processes alike. At most 64 printable ASCII characters. */
  readonly processName: string;
  /** How long a message waits before it is sent again. */
  readonly retry?: RetryPolicy;
  /**
   * How long this process has to send a message that it has just accepted. Longer: the messages of a dead process wait
   * longer; shorter than two attempts: more are sent twice.
   */
  readonly leaseMs?: number;
  /** How long one attempt waits for its answer; that of the channels. Longer: a silent destination holds places longer. */
  readonly attemptTimeoutMs?: number;
  /** Larger contents are refused by `accept`, and what is larger than a quarter of the server's `max_allowed_packet`. Larger: bigger transactions. */
  readonly maxContentBytes?: number;
  /** Refused attempts in all before a person decides; a command may have its own. More: a hopeless message is tried longer. */
  readonly maxRetryCount?: number;
  /** Messages of one channel on the fast path at most; 0 leaves every message to the relay. More: memory in an outage. */
  readonly fastPathPlaces?: number;
  /** When the fast path leaves a silent destination alone for a while; absent: as the defaults say. */
  readonly breaker?: Partial<BreakerOptions>;
  /** Worker ids that this database may use, both included; default all. Ids of two databases meet unless their ranges differ. */
  readonly workerIds?: IdRange;
}

/** The producing half of the component for one database. */
export interface MessageTable {
  readonly db: Database;
  readonly acceptor: Acceptor;
  /** Ids for business rows, from the same leased worker id. */
  readonly newId: () => string;
  /** In the order in which they are to be started. */
  readonly services: readonly Service[];
  readonly loops: readonly Loop[];
}

const WORKER_LEASE_MS = 60_000;

/** @throws TypeError for a process name, or a channel's, that does not fit its column */
export function createMessageTable(given: MessageTableOptions): MessageTable {
  const options = { ...DEFAULT_OPTIONS.messageTable, ...given };
  const { db, retry, leaseMs, attemptTimeoutMs, processName } = options;
  assertUsableKey('processName', processName);
  const channels = channelMap(options.channels);
  const workerLease = new WorkerLease(db, processName, { leaseMs: WORKER_LEASE_MS, ids: options.workerIds });
  const newId = createSnowflake(workerLease);
  const destinations = new Destinations(options.breaker);
  const sender = new Sender({
    channels,
    destinations,
    settler: createSettler(db, retry, 'fast-path'),
    events: db.events,
    attemptTimeoutMs,
  });
  const fastPath =
    options.fastPathPlaces > 0
      ? new FastPath({ sender, channels, destinations, events: db.events, places: options.fastPathPlaces })
      : null;
  const acceptor = new Acceptor({
    ...{ ...options, channels, newId, fastPath, leaseMs, home: new HomeDatabase(db) },
    events: db.events,
    claimedBy: processName,
  });
  const renewal = createLoop({
    name: 'worker-lease',
    events: db.events,
    periodMs: WORKER_LEASE_MS / 6,
    step: async () => {
      await workerLease.renew();
      return jittered(WORKER_LEASE_MS / 6);
    },
    onStopped: () => workerLease.release().catch(() => undefined),
  });
  const loops = fastPath === null ? [renewal] : [renewal, createPauseWatch(db, destinations)];
  return { db, acceptor, newId, services: [...loops, ...(fastPath === null ? [] : [fastPath])], loops };
}
