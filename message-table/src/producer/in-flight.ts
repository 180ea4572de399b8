import type { ClaimedMessage } from './sender.js';

/** What one group has handed over and not settled yet: so much is held in memory, and lost to a lease by a crash. */
export class InFlight {
  private messages = 0;
  private bytes = 0;

  constructor(private readonly most: { readonly batch: number; readonly byteBudget: number }) {}

  get count(): number {
    return this.messages;
  }

  /** Content bytes that may still be taken; below zero when the last one was larger. */
  bytesLeft(): number {
    return this.most.byteBudget - this.bytes;
  }

  hasRoom(): boolean {
    return this.messages < this.most.batch && this.bytesLeft() > 0;
  }

  /** @param dispatch never rejects */
  async during<T>({ outgoing }: ClaimedMessage, dispatch: Promise<T>): Promise<T> {
    const bytes = Buffer.byteLength(outgoing.content);
    this.messages += 1;
    this.bytes += bytes;
    const ending = await dispatch;
    this.messages -= 1;
    this.bytes -= bytes;
    return ending;
  }
}
