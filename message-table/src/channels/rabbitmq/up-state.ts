import type { MessageTableEvents } from '../../observe/events.js';

/** Whether a channel may be used, and why not; each change is one event. */
export class UpState {
  private down: string | null = 'not started';

  constructor(
    private readonly channel: string,
    private readonly events: MessageTableEvents,
  ) {}

  isUp(): boolean {
    return this.down === null;
  }

  /** Null while it is up. */
  downReason(): string | null {
    return this.down;
  }

  setUp(): void {
    if (this.down === null) return;
    this.down = null;
    this.events.emit('channelUp', { channel: this.channel });
  }

  setDown(reason: string): void {
    if (this.down === reason) return;
    this.down = reason;
    this.events.emit('channelDown', { channel: this.channel, reason });
  }
}
