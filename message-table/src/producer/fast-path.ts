import type { Channel } from '../channels/channel.js';
import type { Service } from '../service/lifecycle.js';
import type { Destinations } from './destinations.js';
import type { Route } from './route.js';
import type { ClaimedMessage, Sender } from './sender.js';

export interface FastPathOptions {
  readonly sender: Sender;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly destinations: Destinations;
  /** Messages that are handed over and not yet settled at most; beyond that rows are left to the relay. */
  readonly places: number;
}

/**
 * Sends a message as soon as its transaction has committed, without waiting for a relay's next look.
 *
 * A place is reserved before the row is inserted as SENDING, so what is held here is bounded, and a message
 * that finds no place waits in the table, not in memory.
 */
export class FastPath implements Service {
  readonly name = 'fast-path';
  private taken = 0;
  private open = true;

  constructor(private readonly options: FastPathOptions) {}

  /** @returns true when a place is kept for one message of this route; {@link free} or {@link handOver} ends it. */
  reserve(route: Route): boolean {
    if (!this.open || this.taken >= this.options.places) return false;
    if (this.options.channels.get(route.channel)?.isUp() !== true) return false;
    if (this.options.destinations.obstacle(route) !== null) return false;
    this.taken += 1;
    return true;
  }

  free(count: number): void {
    this.taken -= count;
  }

  /** Call it only after COMMIT returned success. */
  handOver(messages: readonly ClaimedMessage[]): void {
    for (const message of messages) {
      const ended = this.open
        ? this.options.sender.dispatch(message)
        : this.options.sender.giveBack(message.claim, 'the process stops');
      void ended.finally(() => {
        this.taken -= 1;
      });
    }
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** From now on rows are inserted PENDING; resolves when what was handed over is settled. */
  stop(): Promise<void> {
    this.open = false;
    return this.options.sender.whenIdle();
  }
}
