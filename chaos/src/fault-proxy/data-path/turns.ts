const CHUNK_BYTES = 64 * 1024;
const BYTES_A_TURN = 32 * CHUNK_BYTES;
/** To stop reading a sender and to start again costs as much as several chunks: it pays once for eight. */
const SHARE_BYTES = 8 * CHUNK_BYTES;
/** Whoever sends less at once is not ahead of us, and its peer may be waiting for just that. */
const SMALL_BYTES = 16 * 1024;

/** Whom bytes are read from. */
export interface Sender {
  /** What it may send before it waits, when others wait as well. */
  shareBytes: number;
  readonly goOn: () => void;
}

export const sender = (goOn: () => void): Sender => ({ shareBytes: SHARE_BYTES, goOn });

/**
 * Keeps the turns of the event loop short. In each of them the loop reads every socket that has something, some thirty
 * chunks each, before it comes to an API call; senders that are ahead of us always have something, and with eight of them
 * a turn takes long already. So when a turn has read enough, those that have had their share wait: in a row, and as many
 * go on as the next turn has room for.
 */
export class Turns {
  private readBytes = 0;
  private isTurning = false;
  private readonly waiting: Sender[] = [];

  /** Counts what was read. @returns true when the sender is to {@link wait} */
  spend(bytes: number, by: Sender): boolean {
    this.readBytes += bytes;
    by.shareBytes -= bytes;
    if (this.readBytes <= BYTES_A_TURN) return false;
    if (!this.isTurning) this.turnLater();
    return bytes >= SMALL_BYTES && by.shareBytes <= 0;
  }

  /** Until `goOn` is called in a later turn nothing is to be read from it. */
  wait(by: Sender): void {
    by.shareBytes = SHARE_BYTES;
    this.waiting.push(by);
  }

  private turnLater(): void {
    this.isTurning = true;
    setImmediate(() => {
      // One that waits has up to two chunks ready.
      const room = Math.ceil((BYTES_A_TURN - this.readBytes) / (2 * CHUNK_BYTES));
      this.readBytes = 0;
      this.isTurning = false;
      for (const { goOn } of this.waiting.splice(0, Math.max(1, room))) goOn();
      if (this.waiting.length > 0) this.turnLater();
    });
  }
}

/** A process has one event loop. */
export const LOOP_TURNS = new Turns();
