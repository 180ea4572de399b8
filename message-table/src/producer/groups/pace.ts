import { jittered } from '../../service/loop.js';
import { readCron } from './cron.js';
import type { TaskGroup } from './task-group.js';

/** What one pass came to. */
export interface Pass {
  /** Messages that it sent or handed over. */
  readonly taken: number;
  /** Rows that it met, those included that were put off or given back. */
  readonly found: number;
  /** Rows that were put off took all places of a claim: others may be due behind them. */
  readonly crowded: boolean;
  /** Of the group, not settled yet. */
  readonly inFlight: number;
}

export const NOTHING: Omit<Pass, 'inFlight'> = { taken: 0, found: 0, crowded: false };

/** When a group takes messages, and how many. */
export interface Pace {
  /** How many may be taken now; 0 between firings, no bound without them. Begins a firing whose time has come. */
  left(): number;
  /** Told after each pass. @returns how long to rest, ms */
  rest(pass: Pass): number;
  /** The group is paused: what remains of a firing is dropped, and so is one whose time comes now. @returns how long to rest, ms */
  skip(): number;
}

export interface PaceOptions {
  readonly limit: number;
  /** Rest of a group without firings that found nothing, ms. */
  readonly pollMs: number;
  /** Told when the time of the next firing is known, ms since 1970. */
  readonly onNext: (atMs: number) => void;
}

export function paceOf({ cron, fixedDelayMs }: TaskGroup, options: PaceOptions): Pace {
  if (cron !== undefined)
    return new Firings(
      cronTimes(cron, () => Date.now()),
      options,
    );
  if (fixedDelayMs !== undefined)
    return new Firings(
      delayTimes(fixedDelayMs, () => performance.now()),
      options,
    );
  return steady(options);
}

const steady = ({ pollMs }: PaceOptions): Pace => ({
  left: () => Infinity,
  // Not after every row that was put off: of a crowd, a few come due at any moment, and one by one they would cost a claim each.
  rest: ({ taken, crowded }) => (taken > 0 || crowded ? 0 : jittered(pollMs)),
  skip: () => jittered(pollMs),
});

/** The clock that firings go by, and what comes next on it. */
export interface Times {
  nowMs(): number;
  /** The next firing when the one before ended now. */
  nextMs(): number;
  readonly firstMs: number;
  /** From its time to the time of day, ms. */
  toEpochMs(): number;
}

export function cronTimes(cron: string, nowMs: () => number): Times {
  const next = readCron(cron);
  return { nowMs, nextMs: () => next(nowMs()) ?? Infinity, firstMs: Infinity, toEpochMs: () => 0 };
}

export const delayTimes = (delayMs: number, nowMs: () => number): Times => ({
  nowMs,
  nextMs: () => nowMs() + delayMs,
  firstMs: 0,
  toEpochMs: () => Date.now() - nowMs(),
});

/** A loop that waits turns at least this often, so that a group which fires once a day does not look dead, nor hides that it is. */
const LONGEST_REST_MS = 1_000;
const IN_FLIGHT_REST_MS = 5;

/**
 * A firing takes messages until it has `limit` or nothing is due, and ends when all that it took is settled. One at a
 * time: firings whose time comes before that are dropped, not made up for.
 */
export class Firings implements Pace {
  private dueMs: number;
  /** What the firing may still take; null between firings. */
  private leftNow: number | null = null;

  constructor(
    private readonly times: Times,
    private readonly options: Pick<PaceOptions, 'limit' | 'onNext'>,
  ) {
    this.dueMs = times.firstMs;
  }

  left(): number {
    if (this.leftNow === null && this.isDue()) this.leftNow = this.options.limit;
    return this.leftNow ?? 0;
  }

  rest({ taken, found, inFlight }: Pass): number {
    if (this.leftNow === null) return this.untilDue();
    this.leftNow = found === 0 ? 0 : Math.max(0, this.leftNow - taken);
    if (this.leftNow > 0) return 0;
    if (inFlight > 0) return IN_FLIGHT_REST_MS;
    return this.end();
  }

  skip(): number {
    return this.leftNow !== null || this.isDue() ? this.end() : this.untilDue();
  }

  private end(): number {
    this.leftNow = null;
    this.plan(this.times.nextMs());
    return this.untilDue();
  }

  /** Looked up again at each turn: when the clock is put back, what was planned by the old time would be far away. */
  private isDue(): boolean {
    const nextMs = this.times.nextMs();
    if (nextMs < this.dueMs) this.plan(nextMs);
    return this.times.nowMs() >= this.dueMs;
  }

  private plan(dueMs: number): void {
    this.dueMs = dueMs;
    if (dueMs !== Infinity) this.options.onNext(dueMs + this.times.toEpochMs());
  }

  private untilDue(): number {
    return Math.min(Math.max(1, this.dueMs - this.times.nowMs()), LONGEST_REST_MS);
  }
}
