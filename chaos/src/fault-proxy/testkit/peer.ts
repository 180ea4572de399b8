import { once } from 'node:events';
import type { Socket } from 'node:net';
import { eventually } from './eventually.js';

/** How the other side's stream ended: in order (FIN), or with an RST. */
export type PeerEnd = 'fin' | 'reset';

/** One end of a TCP connection, and what it has seen. */
export class Peer {
  readonly reads: Buffer[] = [];
  readonly ended: Promise<PeerEnd>;
  end: PeerEnd | undefined;
  endedAtMs = 0;

  constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => void this.reads.push(data));
    this.ended = new Promise((resolve) => {
      const endWith = (end: PeerEnd) => {
        this.end ??= end;
        this.endedAtMs ||= performance.now();
        resolve(this.end);
      };
      socket.once('end', () => endWith('fin'));
      // EPIPE: the reset came while we were writing.
      socket.once('error', () => endWith('reset'));
      socket.once('close', () => endWith('fin'));
    });
  }

  get received(): Buffer {
    return Buffer.concat(this.reads);
  }

  get text(): string {
    return this.received.toString('latin1');
  }

  get sizeBytes(): number {
    return this.reads.reduce((sum, { length }) => sum + length, 0);
  }

  send(data: string | Buffer): void {
    this.socket.write(data);
  }

  /** Stops sending; still listens. */
  finish(): void {
    this.socket.end();
  }

  async has(bytes: number): Promise<string> {
    await eventually(
      () => this.sizeBytes >= bytes,
      () => `${this.sizeBytes} of ${bytes} bytes came`,
    );
    return this.text;
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }
}
