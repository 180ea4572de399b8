import type { Channel } from './channels/channel.js';
import { channelMap } from './channels/channel-map.js';
import type { Database } from './database/database.js';
import { createProducerArchive, type ArchivePolicy } from './maintenance/archive-task.js';
import { createProducerSweep } from './maintenance/lease-sweep.js';
import { createOverdueWatch } from './maintenance/overdue-watch.js';
import { Destinations, type BreakerOptions } from './producer/destinations.js';
import { createSendTask } from './producer/send-task.js';
import { Sender } from './producer/sender.js';
import { createSettler } from './producer/settler.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { createObstacleWatch } from './producer/watch-obstacles.js';
import type { Loop } from './service/loop.js';

export interface RelayOptions {
  readonly db: Database;
  readonly channels: readonly Channel[];
  readonly processName: string;
  readonly retry: RetryPolicy;
  readonly leaseMs: number;
  readonly attemptTimeoutMs: number;
  /** Messages per second, 0 for no limit. */
  readonly rate: number;
  readonly batch: number;
  readonly pollMs: number;
  /** Content bytes of one batch at most. */
  readonly byteBudget: number;
  /** When a silent destination is left alone for a while. */
  readonly breaker?: Partial<BreakerOptions>;
  /** Messages without an answer for longer are named, ms; absent: never. */
  readonly unknownMaxAgeMs?: number;
  /** When sent messages leave the live table; absent: they stay. */
  readonly archive?: ArchivePolicy;
}

/** What every relay runs: the send task, the sweep that gives back what a dead sender held, and the archiving of what was sent. */
export function createRelay(options: RelayOptions): readonly Loop[] {
  const { db, retry, attemptTimeoutMs, leaseMs } = options;
  const channels = channelMap(options.channels);
  const destinations = new Destinations(options.breaker);
  const watch = createObstacleWatch(db, destinations, channels);
  const sender = new Sender({
    channels,
    destinations,
    settler: createSettler(db, retry, 'relay'),
    events: db.events,
    attemptTimeoutMs,
    onDestinationFree: watch.free,
  });
  const sendTask = createSendTask({ ...options, channels, destinations, sender, claimedBy: options.processName });
  const archive = options.archive === undefined ? [] : createProducerArchive(db, options.archive);
  const { unknownMaxAgeMs } = options;
  const overdue = unknownMaxAgeMs === undefined ? [] : [createOverdueWatch(db, unknownMaxAgeMs)];
  return [createProducerSweep(db, leaseMs), watch.loop, sendTask, ...overdue, ...archive];
}
