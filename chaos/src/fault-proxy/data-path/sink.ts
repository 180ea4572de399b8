import type { Socket } from 'node:net';
import type { Traffic } from '../effects.js';
import type { Chunk, Ending, Taker } from './stage.js';

/** The end of a direction: writes to the destination's socket. */
export class Sink implements Taker {
  private isEnded = false;
  private isCorked = false;
  private isSourceGone = false;

  constructor(
    private readonly destination: Socket,
    private readonly traffic: Traffic,
  ) {}

  get isFull(): boolean {
    return this.destination.writableNeedDrain;
  }

  take({ data }: Chunk): void {
    this.write(data);
  }

  write(data: Buffer): void {
    if (this.isEnded || !this.destination.writable) return;
    this.traffic.sentBytes += data.length;
    this.destination.write(data);
  }

  /** A client that has only stopped sending still gets its answer; a closed one has nobody to answer. */
  end(ending: Ending): void {
    this.isEnded = true;
    if (ending === 'half' && !this.isSourceGone) this.destination.end();
    else this.destination.destroySoon();
  }

  sourceGone(): void {
    this.isSourceGone = true;
    if (this.isEnded) this.destination.destroySoon();
  }

  /** Thousands of held chunks leave in a few system calls, after the caller has gone on. */
  gather(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    this.destination.cork();
    setImmediate(() => {
      this.isCorked = false;
      this.destination.uncork();
    });
  }
}
