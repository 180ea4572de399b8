const BYTES_A_TURN = 2 * 1024 * 1024;
/** A chunk in hand and another one that its stream has read already: 64 KiB each. */
const WOKEN_A_TURN = BYTES_A_TURN / (2 * 64 * 1024);
/** A sender that is not ahead costs little, and whoever waits for what it says must not wait for those that are. */
const SMALL_BYTES = 16 * 1024;

/**
 * What is read in one turn of the event loop, over all connections. The loop reads every socket that has something
 * before it comes to an API call; with hundreds of senders that are ahead of us all have, always. Whoever comes when the
 * bytes of a turn are used up waits for a later one, first come, first served.
 */
export class Turns {
  private leftBytes = BYTES_A_TURN;
  private isTurning = false;
  private readonly waiting: (() => void)[] = [];

  /** @returns false: not now, `goOn` is called in a later turn */
  take(bytes: number, goOn: () => void): boolean {
    if (this.leftBytes > 0 || bytes < SMALL_BYTES) {
      this.leftBytes -= bytes;
      return true;
    }
    this.waiting.push(goOn);
    if (!this.isTurning) this.turnLater();
    return false;
  }

  private turnLater(): void {
    this.isTurning = true;
    setImmediate(() => {
      this.leftBytes = BYTES_A_TURN;
      for (const goOn of this.waiting.splice(0, WOKEN_A_TURN)) goOn();
      this.isTurning = false;
      if (this.waiting.length > 0) this.turnLater();
    });
  }
}

/** A process has one event loop. */
export const LOOP_TURNS = new Turns();
