import type { Channel } from '../channels/channel.js';
import type { MessageTableEvents } from '../observe/events.js';
import type { Service } from '../service/lifecycle.js';
import type { Destinations } from './destinations.js';
import { Places } from './places.js';
import { houseOf } from './producer-message.js';
import type { Route } from './route.js';
import type { ClaimedMessage, Sender } from './sender.js';

export interface FastPathOptions {
  readonly sender: Sender;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly destinations: Destinations;
  readonly events: MessageTableEvents;
  /** Messages of one channel that are handed over and not yet settled at most; beyond that rows are left to the relay. */
  readonly places: number;
}

/**
 * Sends a message as soon as its transaction has committed, without waiting for a relay's next look.
 *
 * A place is reserved before the row is inserted as SENDING, so what is held here is bounded, and a message
 * that finds no place waits in the table, not in memory. Each channel has places of its own: one that hangs fills
 * its own only.
 */
export class FastPath implements Service {
  readonly name = 'fast-path';
  private readonly places: Places;
  private open = true;

  constructor(private readonly options: FastPathOptions) {
    this.places = new Places(options.places, options.events);
  }

  /** @returns true when a place is kept for one message of this route; {@link free} or {@link handOver} ends it. */
  reserve(route: Route & { readonly messageId: string }): boolean {
    const { channels, destinations } = this.options;
    if (!this.open || channels.get(route.channel)?.isUp() !== true) return false;
    if (!destinations.arePausesKnown || destinations.isHousePaused(houseOf(route.messageId))) return false;
    if (!this.places.hasRoom(route.channel)) return false;
    // Last: a breaker that is tried again lets one message through, and this has to be it.
    if (destinations.obstacle(route) !== null) return false;
    this.places.take(route.channel, 1);
    return true;
  }

  free(reserved: readonly Pick<Route, 'channel'>[]): void {
    for (const { channel } of reserved) this.places.take(channel, -1);
  }

  /**
   * Call it only after COMMIT returned success.
   *
   * @param partUndone their rows may be gone with a savepoint: those that are there are left to a relay
   */
  handOver(messages: readonly ClaimedMessage[], partUndone = false): void {
    const { sender } = this.options;
    const why = partUndone ? 'a part of the transaction was undone' : this.open ? null : 'the process stops';
    for (const message of messages) {
      const ended = why === null ? sender.dispatch(message) : sender.giveBack(message.claim, why);
      void ended.finally(() => this.free([message]));
    }
  }

  start(): Promise<void> {
    for (const channel of this.options.channels.keys()) this.places.take(channel, 0);
    return Promise.resolve();
  }

  /** From now on rows are inserted PENDING; resolves when what was handed over is settled. */
  stop(): Promise<void> {
    this.open = false;
    return this.options.sender.whenIdle();
  }
}
