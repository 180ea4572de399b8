import type { Channel } from './channels/channel.js';
import { channelMap } from './channels/channel-map.js';
import type { Database } from './database/database.js';
import { createSnowflake } from './maintenance/snowflake.js';
import { WorkerLease } from './maintenance/worker-lease.js';
import { Acceptor } from './producer/accept.js';
import { Destinations } from './producer/destinations.js';
import { FastPath } from './producer/fast-path.js';
import { Sender } from './producer/sender.js';
import { createSettler } from './producer/settler.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { createPauseWatch } from './producer/watch-obstacles.js';
import type { Service } from './service/lifecycle.js';
import type { IdRange } from './service/setting-types.js';
import { createLoop, jittered, type Loop } from './service/loop.js';

export interface MessageTableOptions {
  readonly db: Database;
  readonly channels: readonly Channel[];
  /** Who this process is, for people: stands in `claimed_by`. */
  readonly processName: string;
  readonly retry: RetryPolicy;
  readonly leaseMs: number;
  readonly attemptTimeoutMs: number;
  readonly maxContentBytes: number;
  readonly maxRetryCount: number;
  /** Messages of one channel on the fast path at most; 0 leaves every message to the relay. */
  readonly fastPathPlaces: number;
  /** Worker ids that this database may use, both included; default all. */
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

export function createMessageTable(options: MessageTableOptions): MessageTable {
  const { db, retry, leaseMs, attemptTimeoutMs, processName } = options;
  const channels = channelMap(options.channels);
  const workerLease = new WorkerLease(db, processName, { leaseMs: WORKER_LEASE_MS, ids: options.workerIds });
  const newId = createSnowflake(workerLease);
  const destinations = new Destinations();
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
    ...{ ...options, channels, newId, fastPath, leaseMs },
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
