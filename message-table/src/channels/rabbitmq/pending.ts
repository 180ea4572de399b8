import { CONFIRMED, refused, unknown, type Outcome } from '../outcome.js';

/** One attempt on its way to the broker. */
export interface Flight {
  /** `<id>:<version>`, the header `x-attempt`. */
  readonly attempt: string;
  /** Exchange and routing key. */
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
}

/** More destinations than this are forgotten, oldest first; then a time-out is the destination's. */
const DESTINATIONS_KEPT = 1_000;

/** What the broker has answered on one connection, in the order of a counter that writes share. */
export class Answers {
  private counter = 0;
  private lastAnswer = 0;
  private readonly lastConfirm = new Map<string, number>();

  written(): number {
    return ++this.counter;
  }

  answered(): void {
    this.lastAnswer = ++this.counter;
  }

  confirmed(destination: string): void {
    this.lastConfirm.delete(destination);
    this.lastConfirm.set(destination, ++this.counter);
    if (this.lastConfirm.size <= DESTINATIONS_KEPT) return;
    const [oldest] = this.lastConfirm.keys();
    if (oldest !== undefined) this.lastConfirm.delete(oldest);
  }

  anySince(writtenAt: number): boolean {
    return this.lastAnswer > writtenAt;
  }

  confirmedSince(destination: string, writtenAt: number): boolean {
    return (this.lastConfirm.get(destination) ?? 0) > writtenAt;
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
    this.answers.confirmed(written.flight.destination);
    this.settle(written, CONFIRMED);
  }

  nacked(written: Written<F>): void {
    this.answers.answered();
    this.settle(written, refused('nack'));
  }

  /**
   * Settles what is older than the limit: as refused when its destination confirmed others meanwhile, else as
   * unknown. True when one of them saw no answer of any kind since it was written: the connection is dead.
   */
  expire(nowMs: number, limitMs: number): boolean {
    let silent = false;
    for (const written of this.byAttempt.values()) {
      const { flight, writtenAt } = written;
      if (nowMs - flight.startedMs < limitMs) break;
      const others = this.answers.confirmedSince(flight.destination, writtenAt);
      if (!this.answers.anySince(writtenAt)) silent = true;
      this.settle(written, others ? refused('time-out, others were confirmed') : unknown('time-out'));
    }
    return silent;
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
