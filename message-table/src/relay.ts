import type { Channel } from './channels/channel.js';
import { channelMap } from './channels/channel-map.js';
import type { Database } from './database/database.js';
import { DEFAULT_OPTIONS } from './default-options.js';
import { createProducerArchive, type ArchivePolicy } from './maintenance/archive-task.js';
import { createProducerSweep } from './maintenance/lease-sweep.js';
import { createOverdueWatch } from './maintenance/overdue-watch.js';
import { Destinations, type BreakerOptions } from './producer/destinations.js';
import { paceOf } from './producer/groups/pace.js';
import { unservedBy, WHOLE_TABLE, type TaskGroup } from './producer/groups/task-group.js';
import { createSendTask, type SendTaskOptions } from './producer/send-task.js';
import { Sender } from './producer/sender.js';
import { createSettler } from './producer/settler.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { LoneTurns } from './producer/lone-turns.js';
import { createObstacleWatch } from './producer/watch-obstacles.js';
import type { Loop } from './service/loop.js';
import { createTokenBucket, inBoth } from './service/token-bucket.js';
import { assertUsableKey } from './usable-key.js';

export interface RelayOptions {
  /** The pool of the database whose messages are sent. */
  readonly db: Database;
  /** The ways out. Rows of a channel that this relay does not have are left to another one. */
  readonly channels: readonly Channel[];
  /** Who this process is, for people: stands in `claimed_by`. No two processes alike. At most 64 printable ASCII characters. */
  readonly processName: string;
  /** How long a message waits before it is sent again. */
  readonly retry?: RetryPolicy;
  /** How long a claim is good for. Longer: the messages of a dead relay wait longer; shorter: more are sent twice. */
  readonly leaseMs?: number;
  /** How long one attempt waits for its answer; that of the channels. Longer: a silent destination holds places longer. */
  readonly attemptTimeoutMs?: number;
  /** Messages per second of all groups together, 0 for no limit. Higher: a backlog leaves sooner, and weighs on receivers. */
  readonly rate?: number;
  /** Messages claimed and in flight at once, in each group. Larger: fewer statements, more doubled by a crash. */
  readonly batch?: number;
  /** Rest of an idle relay. Shorter finds messages sooner, and costs a query each time. */
  readonly pollMs?: number;
  /** Shares of the work, see docs/how-to/task-groups.md; none is one group of all houses. Each costs a claim of its own. */
  readonly groups?: readonly TaskGroup[];
  /** Content bytes in flight at once, in each group; one message goes whatever its size. Larger: more memory. */
  readonly byteBudget?: number;
  /** When a silent destination is left alone for a while; absent: as the defaults say. */
  readonly breaker?: Partial<BreakerOptions>;
  /** Messages without an answer for longer are named in log and metrics; absent: never. Shorter: every outage is. */
  readonly unknownMaxAgeMs?: number;
  /** When sent messages leave the live table; absent: they stay, and the table grows. */
  readonly archive?: ArchivePolicy;
}

/** What every relay runs: a send task for each group, the sweep that gives back what a dead sender held, and the archiving of what was sent. */
export function createRelay(given: RelayOptions): readonly Loop[] {
  const options = { ...DEFAULT_OPTIONS.relay, ...given };
  const { db, retry, attemptTimeoutMs, leaseMs } = options;
  assertUsableKey('processName', options.processName);
  const channels = channelMap(options.channels);
  const destinations = new Destinations(options.breaker);
  const watch = createObstacleWatch(db, destinations, channels);
  const settler = createSettler(db, retry, 'relay');
  const sender = new Sender({
    channels,
    destinations,
    settler,
    events: db.events,
    attemptTimeoutMs,
    onDestinationFree: watch.free,
  });
  const groups = options.groups === undefined || options.groups.length === 0 ? [WHOLE_TABLE] : options.groups;
  db.events.emit('groupsServed', {
    groups: groups.map(({ groupId }) => groupId),
    unservedHouses: unservedBy(groups),
  });
  const sendTasks = createSendTasks(groups, {
    ...{ ...options, channels, destinations, sender, settler },
    claimedBy: options.processName,
  });
  const archive = options.archive === undefined ? [] : createProducerArchive(db, options.archive);
  const { unknownMaxAgeMs } = options;
  const overdue = unknownMaxAgeMs === undefined ? [] : [createOverdueWatch(db, unknownMaxAgeMs)];
  return [createProducerSweep(db, leaseMs), watch.loop, ...sendTasks, ...overdue, ...archive];
}

type Shared = Omit<SendTaskOptions, 'loopName' | 'group' | 'pace' | 'bucket' | 'turns'> & { readonly rate: number };

function createSendTasks(groups: readonly TaskGroup[], shared: Shared): Loop[] {
  const { batch: largest, pollMs, rate } = shared;
  const { events } = shared.db;
  const ofAll = createTokenBucket(rate);
  const turns = new LoneTurns();
  const loops = groups.map((group) => {
    const { groupId, limit = largest } = group;
    return createSendTask({
      ...{ ...shared, group, turns },
      loopName: group === WHOLE_TABLE ? 'send-task' : `send-task ${groupId}`,
      pace: paceOf(group, { limit, pollMs, onNext: (atMs) => events.emit('nextFiring', { group: groupId, atMs }) }),
      bucket: inBoth(createTokenBucket(group.rate ?? 0), ofAll),
      batch: Math.min(limit, largest),
    });
  });
  return stoppedTogether(loops);
}

/** What one waits for when it stops are messages in flight, which the others must not add to meanwhile. */
function stoppedTogether(loops: readonly Loop[]): Loop[] {
  const stop = async (): Promise<void> => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
  return loops.map((loop) => ({ ...loop, stop }));
}
