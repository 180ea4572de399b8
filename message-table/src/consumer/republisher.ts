import type { Channel, Outgoing } from '../channels/channel.js';
import type { Database } from '../database/database.js';
import type { MessageTableEvents } from '../observe/events.js';
import { traceSend } from '../observe/trace-send.js';
import type { RetryClaim } from './consumer-message.js';
import { createdMsOf, headersToRepublish, REDELIVERY_HEADER } from './headers.js';
import { giveBack } from './store/retry-claim.js';

export interface RepublisherOptions {
  readonly queue: string;
  /** Publishes confirmed and mandatory. */
  readonly channel: Channel;
  /** Messages that wait in the queue. */
  readonly depth: () => Promise<number>;
  readonly events: MessageTableEvents;
  readonly leaseMs: number;
  readonly prefetch: number;
}

const NOT_CONFIRMED_MS = 2_000;
/** A lease is doubled so often at most: LOST_LIMIT ends the row before. */
const MOST_DOUBLINGS = 10;

/**
 * The literal way of redelivering: the note's content goes to its exchange and routing key again, and the copy is
 * handled as any delivery. The note stays RETRYING until its copy is handled or the lease ends; a copy names its
 * claim, so that of several copies only the present claim's is handled.
 */
export class Republisher {
  readonly queue: string;
  private readonly cover: LeaseCover;

  constructor(private readonly options: RepublisherOptions) {
    this.queue = options.queue;
    this.cover = new LeaseCover(options);
  }

  /** Each lease in a row that ended without an outcome makes the next one twice as long: the queue may only be slow. */
  leaseMs(leaseMs: number, lostCount: number): number {
    return leaseMs * 2 ** Math.min(lostCount, MOST_DOUBLINGS);
  }

  /** False while a copy could wait longer than its lease: another lease would only add another copy. */
  async hasRoom(): Promise<boolean> {
    return this.options.channel.isUp() && (await this.options.depth()) <= this.cover.messages();
  }

  /** What came through this queue as text; a body that is not UTF-8 could not be sent byte for byte. */
  takes({ received }: RetryClaim): boolean {
    return received.receivedBy === this.queue && Buffer.from(received.body.toString('utf8')).equals(received.body);
  }

  /** A copy that was not certainly taken leaves the note due, without an attempt; should it arrive, its claim is over. */
  async publish(
    db: Database,
    claim: RetryClaim,
  ): Promise<'published' | 'put-off' | 'lease-lost' | 'cannot-be-published'> {
    const { channel } = this.options;
    const outgoing = copyOf(claim);
    const outcome = await traceSend({ claim, channel: channel.name, outgoing }, channel, () => channel.send(outgoing));
    if (outcome.kind === 'confirmed') return 'published';
    if (outcome.kind === 'refused' && outcome.permanent) return 'cannot-be-published';
    return (await giveBack(db, claim, NOT_CONFIRMED_MS)) === 'done' ? 'put-off' : 'lease-lost';
  }
}

function copyOf({ id, version, received }: RetryClaim): Outgoing {
  const { messageId, consumer, exchange, routingKey, headers, body } = received;
  return {
    id: `note-${id}`,
    version,
    messageId,
    taskName: consumer,
    exchange,
    routingKey,
    channelConfig: null,
    content: body.toString('utf8'),
    headers: { ...headersToRepublish(headers), [REDELIVERY_HEADER]: version } as unknown as Record<string, string>,
    createdMs: createdMsOf(headers) ?? Date.now(),
  };
}

/** How many messages of the queue this process has handled in one lease lately; a prefetch at least. */
class LeaseCover {
  private before = 0;
  private now = 0;
  private startedMs = performance.now();

  constructor(private readonly options: RepublisherOptions) {
    options.events.on('consumed', ({ count, duplicates }) => {
      this.turn();
      this.now += count + duplicates;
    });
  }

  messages(): number {
    this.turn();
    return Math.max(this.options.prefetch, this.before, this.now);
  }

  private turn(): void {
    const passed = Math.floor((performance.now() - this.startedMs) / this.options.leaseMs);
    if (passed === 0) return;
    this.before = passed === 1 ? this.now : 0;
    this.now = 0;
    this.startedMs += passed * this.options.leaseMs;
  }
}
