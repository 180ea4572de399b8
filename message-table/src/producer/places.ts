import type { MessageTableEvents } from '../observe/events.js';

/** How many messages of each channel are on the fast path; so many at most, for each channel by itself. */
export class Places {
  private readonly taken = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly events: MessageTableEvents,
  ) {}

  /** False when the channel's places are all taken, which is counted. */
  hasRoom(channel: string): boolean {
    const hasRoom = (this.taken.get(channel) ?? 0) < this.most;
    if (!hasRoom) this.events.emit('fastPathFull', { channel });
    return hasRoom;
  }

  /** @param count negative: so many are free again */
  take(channel: string, count: number): void {
    const taken = (this.taken.get(channel) ?? 0) + count;
    this.taken.set(channel, taken);
    this.events.emit('fastPathTaken', { channel, taken });
  }
}
