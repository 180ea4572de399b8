import { CONFIRMED, refused, unknown, type Outcome } from '../outcome.js';

/** One attempt on its way to the broker. */
export interface Flight {
  /** `<id>:<version>`, the header `x-attempt`. */
  readonly attempt: string;
  /** Exchange and routing key, see {@link rabbitDestination}. */
  readonly destination: string;
  /** When it was asked for, on the monotonic clock. */
  readonly startedMs: number;
  readonly settle: (outcome: Outcome) => void;
}

/** A flight that was written, with what is known of it so far. */
export interface Written<F extends Flight> {
  readonly flight: F;
  readonly writtenAt: number;
  returned: string | null;
  /** When half of its time was over: the count of the answers if a later one of its destination had been confirmed, else null. */
  overtakenAt?: number | null;
}

/** More destinations than this are forgotten, oldest first; then a time-out is the destination's. */
const DESTINATIONS_KEPT = 1_000;

interface Confirms {
  /** The highest `writtenAt` that was confirmed. */
  readonly latestWritten: number;
  /** Of the last confirm: the count of the answers. */
  readonly at: number;
}

/** What the broker has answered on one connection, in the order of a counter that writes share. */
export class Answers {
  private counter = 0;
  private lastAnswer = 0;
  private readonly confirms = new Map<string, Confirms>();

  written(): number {
    return ++this.counter;
  }

  answered(): void {
    this.lastAnswer = ++this.counter;
  }

  confirmed(destination: string, writtenAt: number): void {
    const latestWritten = Math.max(writtenAt, this.confirms.get(destination)?.latestWritten ?? 0);
    this.confirms.delete(destination);
    this.confirms.set(destination, { latestWritten, at: ++this.counter });
    if (this.confirms.size <= DESTINATIONS_KEPT) return;
    const [oldest] = this.confirms.keys();
    if (oldest !== undefined) this.confirms.delete(oldest);
  }

  anySince(writtenAt: number): boolean {
    return this.lastAnswer > writtenAt;
  }

  /** Where the count stands, if one that was written later for this destination has been confirmed; else null. */
  overtaken(destination: string, writtenAt: number): number | null {
    const latest = this.confirms.get(destination)?.latestWritten ?? 0;
    return latest > writtenAt ? this.counter : null;
  }

  confirmedSince(destination: string, count: number): boolean {
    return (this.confirms.get(destination)?.at ?? 0) > count;
  }
}

/**
 * What is in flight on one channel, in the order of writing. Each flight is settled exactly once: by ack, nack,
 * time-out or the channel's end, whichever comes first; what comes later finds nothing.
 */
export class Pending<F extends Flight> {
  private readonly byAttempt = new Map<string, Written<F>>();

  constructor(private readonly answers: Answers) {}

  get size(): number {
    return this.byAttempt.size;
  }

  has(attempt: string): boolean {
    return this.byAttempt.has(attempt);
  }

  add(flight: F): Written<F> {
    const written = { flight, writtenAt: this.answers.written(), returned: null };
    this.byAttempt.set(flight.attempt, written);
    return written;
  }

  /** The flight never left after all. */
  withdraw(written: Written<F>, outcome: Outcome): void {
    this.settle(written, outcome);
  }

  /** The broker handed this attempt back; its ack is still to come. The flight it belongs to, if any. */
  returned(attempt: string, reason: string): F | null {
    const written = this.byAttempt.get(attempt);
    if (!written) return null;
    written.returned = reason;
    return written.flight;
  }

  acked(written: Written<F>): void {
    this.answers.answered();
    if (written.returned !== null) return this.settle(written, refused(`unroutable: ${written.returned}`));
    this.answers.confirmed(written.flight.destination, written.writtenAt);
    this.settle(written, CONFIRMED);
  }

  /**
   * A queue that has lost its leader, or is full, refuses whatever comes: no fault of a message, unless one that was
   * written later has been taken in its stead.
   */
  nacked(written: Written<F>): void {
    this.answers.answered();
    const { flight, writtenAt } = written;
    const isItsOwn = this.answers.overtaken(flight.destination, writtenAt) !== null;
    this.settle(written, isItsOwn ? refused('nack, others were confirmed') : unknown('nack'));
  }

  /**
   * Settles what is older than the limit: as refused when its destination took others in its stead in both halves of its
   * time, else as unknown. One look alone would blame the message for an outage that begins or ends meanwhile.
   *
   * @returns true when one of them saw no answer of any kind since it was written: the connection is dead
   */
  expire(nowMs: number, limitMs: number): boolean {
    let silent = false;
    for (const written of this.byAttempt.values()) {
      const { flight, writtenAt } = written;
      const ageMs = nowMs - flight.startedMs;
      if (ageMs < limitMs / 2) break;
      if (ageMs < limitMs) {
        if (written.overtakenAt === undefined)
          written.overtakenAt = this.answers.overtaken(flight.destination, writtenAt);
        continue;
      }
      if (!this.answers.anySince(writtenAt)) silent = true;
      this.settle(
        written,
        this.isItsOwnFault(written) ? refused('time-out, others were confirmed') : unknown('time-out'),
      );
    }
    return silent;
  }

  private isItsOwnFault({ flight, overtakenAt = null }: Written<F>): boolean {
    return overtakenAt !== null && this.answers.confirmedSince(flight.destination, overtakenAt);
  }

  endAll(outcome: Outcome): void {
    for (const written of [...this.byAttempt.values()]) this.settle(written, outcome);
  }

  private settle(written: Written<F>, outcome: Outcome): void {
    const { attempt } = written.flight;
    if (this.byAttempt.get(attempt) !== written) return;
    this.byAttempt.delete(attempt);
    written.flight.settle(outcome);
  }
}
