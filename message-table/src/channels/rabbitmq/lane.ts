import type { ConfirmChannel, Message } from 'amqplib';
import { refusedForGood, unknown, type Outcome } from '../outcome.js';
import { closeReason, lost, type CloseReason } from './close-reason.js';
import type { Link } from './link.js';
import { Pending, type Answers } from './pending.js';
import { publishOptions, type Publication } from './publication.js';
import { Refusals } from './refusals.js';

export interface LaneHooks {
  /** What becomes of those in flight. `byChannel`: the channel alone was closed, not the connection. */
  outcomeOfClose(reason: CloseReason, byChannel: boolean): Outcome;
  onClosed(lane: Lane): void;
  onDrain(): void;
  onReturned(publication: Publication, reason: string): void;
}

/** One confirm channel and what is in flight on it. */
export class Lane {
  readonly pending: Pending<Publication>;
  readonly refusals = new Refusals();
  /** Chunks wait inside amqplib: write no more until `onDrain`. What was written is on its way all the same. */
  full = false;
  closed = false;
  /** Nothing more is written here; it is closed when the last in flight has its answer. */
  retired = false;
  private ownError: CloseReason | null = null;

  constructor(
    readonly link: Link,
    readonly channel: ConfirmChannel,
    answers: Answers,
    private readonly hooks: LaneHooks,
  ) {
    this.pending = new Pending(answers);
    channel.on('error', (error) => (this.ownError = closeReason(error)));
    channel.on('close', () => this.channelClosed());
    channel.on('drain', () => this.drained());
    channel.on('return', (message) => this.returned(message));
  }

  /** Writes one publication; its ending comes through `settle`, at once when it cannot be written. */
  write(publication: Publication): void {
    const { message, attempt } = publication;
    if (this.closed) return publication.settle(unknown('channel closed'));
    if (this.pending.has(attempt)) return publication.settle(unknown('the same attempt is in flight'));
    const written = this.pending.add(publication);
    const onConfirm = (error: Error | null): void => {
      if (error === null) {
        this.refusals.confirmed(publication.destination);
        this.pending.acked(written);
      } else if (error.message === 'message nacked') {
        this.refusals.nacked(publication.destination);
        this.pending.nacked(written);
      }
      // Anything else is the channel's end, which settles all of its flights with the reason.
    };
    try {
      const body = Buffer.from(message.content);
      const { exchange, routingKey } = message;
      this.full = !this.channel.publish(exchange, routingKey, body, publishOptions(message, attempt), onConfirm);
    } catch (error) {
      this.pending.withdraw(written, outcomeOfThrow(error));
    }
  }

  closeWhenDone(): void {
    if (this.retired && this.pending.size === 0) this.channel.close().catch(() => undefined);
  }

  /** The end, whatever brought it: everything in flight is settled. */
  end(reason: CloseReason, byChannel: boolean): void {
    if (this.closed) return;
    this.closed = true;
    this.pending.endAll(this.hooks.outcomeOfClose(reason, byChannel));
    this.hooks.onClosed(this);
  }

  private channelClosed(): void {
    if (this.ownError) return this.end(this.ownError, true);
    // The connection is going; an orderly close tells its reason only after the channels are closed.
    queueMicrotask(() => this.end(this.link.closed ?? lost('channel closed'), false));
  }

  private drained(): void {
    this.full = false;
    this.hooks.onDrain();
  }

  private returned(message: Message): void {
    const { replyText, exchange, routingKey } = message.fields as unknown as Record<string, string>;
    const headers: Record<string, unknown> = message.properties.headers ?? {};
    const reason = `${replyText} exchange '${exchange}', routing key '${routingKey}'`;
    const publication = this.pending.returned(String(headers['x-attempt']), reason);
    if (publication) this.hooks.onReturned(publication, reason);
  }
}

/** amqplib throws before it writes anything when a field cannot be encoded. */
function outcomeOfThrow(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return name === 'IllegalOperationError' ? unknown(message) : refusedForGood(`cannot be encoded: ${message}`);
}
