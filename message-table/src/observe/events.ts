import { EventEmitter } from 'node:events';

import type { InboxLook } from '../consumer/store/look.js';
import { toError } from '../errors.js';
import type { OutboxLook } from '../producer/store/look.js';

/** The row of a message at the moment of an event, for people and for tests. */
export interface MessageFacts {
  readonly messageId: string;
  readonly taskName?: string;
}

/** One attempt to send a message. */
export interface AttemptFacts extends MessageFacts {
  readonly channel: string;
  /** 1 for the first; those that ended without an answer are not counted. */
  readonly attempt: number;
  /** Of the trace that is stored with the message; absent without one. */
  readonly traceparent?: string | undefined;
}

/** Of these only `refused` uses an attempt; with `lacking` and `busy` nothing was sent. */
type FailedAttempt = 'refused' | 'unknown' | 'lacking' | 'busy';

interface FailureFacts {
  readonly kind: FailedAttempt;
  readonly reason: string;
  readonly to: 'PENDING' | 'FAILED';
}

/** How many messages wait in a queue; `messages` is null where nobody could look, for the reason that is given. */
export interface QueueLook {
  readonly queue: string;
  /** What the broker gave up delivering waits in a `dead` one. */
  readonly kind: 'work' | 'dead';
  readonly messages: number | null;
  readonly reason: string | null;
}

/** A pause, see producer/store/pauses.ts. */
export interface StopSign {
  readonly scope: 'channel' | 'destination' | 'house' | 'group';
  readonly target: string;
}

/**
 * Everything that the component reports. Logs, metrics and test signals are subscribers;
 * no other file of the component writes a log line.
 */
export interface MessageTableEventMap {
  /** Rows inserted into producer_message; the transaction has not committed yet. */
  accepted: [{ count: number; fastPath: number }];
  /** A channel's places on the fast path are all taken: the message is left to a relay. */
  fastPathFull: [{ channel: string }];
  /** How many of a channel's places are taken now. */
  fastPathTaken: [{ channel: string; taken: number }];
  claimed: [{ group: string; count: number; suspects: number; tookMs: number }];
  /** Rows whose claim was given up unsent, so that another process can take them at once. */
  givenBack: [{ count: number; reason: string }];
  /** Rows put off without an attempt: their channel is down or their destination is paused. */
  parked: [{ count: number; reason: string }];
  settled: [{ via: 'fast-path' | 'relay'; to: 'SENT' | 'PENDING' | 'FAILED'; count: number }];
  /** A relay is set up: these task groups, and house numbers that none of them has. */
  groupsServed: [{ groups: readonly string[]; unservedHouses: readonly number[] }];
  /** Messages of a task group that were confirmed and settled. */
  groupSent: [{ group: string; count: number }];
  /** A task group with a schedule knows when it takes messages next, ms since 1970. */
  nextFiring: [{ group: string; atMs: number }];
  /** What people have paused or resumed since the last look; also told at the first look. */
  pausesChanged: [{ began: readonly StopSign[]; ended: readonly StopSign[]; inForce: readonly StopSign[] }];
  /** Outcomes that the database does not take now; they are kept and written again. */
  settleDelayed: [{ count: number; reason: string }];
  attemptConfirmed: [AttemptFacts & { tookMs: number }];
  /** One message's attempt that did not end confirmed; `tookMs` is null where nothing was sent. */
  attemptFailed: [AttemptFacts & FailureFacts & { tookMs: number | null }];
  /** A few of the messages that have waited for longer than UNKNOWN_MAX_AGE_MS without an answer; none, too, once a minute. */
  overdue: [{ messages: readonly (MessageFacts & { channel: string; ageMs: number; reason: string })[] }];
  /** A fenced update found its row changed by somebody else. Expected, counted, never repaired. */
  leaseLost: [{ table: 'producer_message' | 'consumer_message'; id: string }];
  /** The sweep ended leases whose holder never came back. */
  leasesSwept: [{ table: 'producer_message' | 'consumer_message'; released: number; failed: number }];
  /** Finished rows that one transaction moved to the archive. */
  archived: [{ table: 'producer_message' | 'consumer_message'; count: number; tookMs: number }];
  consumed: [{ consumer: string; count: number; duplicates: number; batch: boolean; tookMs: number }];
  /** One message's handling that threw. */
  consumeFailed: [MessageFacts & { consumer: string; to: 'PENDING_RETRY' | 'FAILED'; attempt: number; reason: string }];
  /** One message that alone meets the database's own trouble, noted without an attempt; it is tried again later. */
  putAside: [MessageFacts & { consumer: string; reason: string }];
  redelivered: [
    { consumer: string; messageId: string; result: 'success' | 'failed' | 'lease-lost' | 'put-off' | 'published' },
  ];
  consumerPaused: [{ consumer: string; reason: string }];
  consumerResumed: [{ consumer: string }];
  channelUp: [{ channel: string }];
  channelDown: [{ channel: string; reason: string }];
  /** A connection to the broker is open and the topology declared. */
  brokerConnected: [{ connection: string }];
  /** An open connection ended, or an attempt to open one failed; the next attempt is on its way. */
  brokerLost: [{ connection: string; reason: string; code: number | null }];
  /** A consumer has no subscription any more (connection, channel or queue gone); it comes back by itself. */
  consumerLost: [{ consumer: string; reason: string }];
  /** What a consuming process saw in its queues. */
  queuesSeen: [{ queues: readonly QueueLook[] }];
  /** The broker stopped reading from us (memory or disk alarm), or began again. */
  channelBlocked: [{ channel: string; blocked: boolean; reason: string }];
  /** The broker handed a mandatory message back: no queue is bound to its route. */
  messageReturned: [{ messageId: string; exchange: string; routingKey: string; reason: string }];
  /** A whole transaction was rolled back by a dead-lock or a lock time-out and is repeated. */
  transactionRetried: [{ code: string; attempt: number }];
  commitUnknown: [{ reason: string }];
  connectionDestroyed: [{ reason: string; threadId: number | null }];
  /** What a watching process saw in the two tables; the transaction is null where the account may not look. */
  tablesSeen: [{ outbox: OutboxLook; inbox: InboxLook; oldestTransactionMs: number | null }];
  loopFailed: [{ loop: string; error: Error }];
  /** Spans of this process do not reach their collector any more, or do again. */
  traceExport: [{ arriving: boolean; reason: string }];
}

export type MessageTableEvents = EventEmitter<MessageTableEventMap>;

export function createEvents(): MessageTableEvents {
  const events: MessageTableEvents = new EventEmitter<MessageTableEventMap>();
  // One subscriber each for logs, metrics, coverage and tests is normal, ten is not a leak.
  events.setMaxListeners(50);
  events.emit = guarded(events);
  return events;
}

/** A subscriber that throws is its own trouble: whoever tells is in the middle of a settle or a claim, and the others want to know. */
function guarded(events: MessageTableEvents): MessageTableEvents['emit'] {
  const tell = (name: keyof MessageTableEventMap, facts: readonly unknown[]): boolean => {
    const listeners = events.rawListeners(name);
    for (const listener of listeners) {
      try {
        Reflect.apply(listener, events, facts);
      } catch (error) {
        if (name !== 'loopFailed') tell('loopFailed', [{ loop: `listener of ${name}`, error: toError(error) }]);
      }
    }
    return listeners.length > 0;
  };
  return (name, ...facts) => tell(name as keyof MessageTableEventMap, facts);
}
