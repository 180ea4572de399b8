import { connectionLost, lostARace } from './error-kinds.js';

const BEGIN = /^BEGIN\b/i;
const COMMIT = /^COMMIT\b/i;
const WHOLE_ROLLBACK = /^ROLLBACK\s*;?$/i;
const PART_ROLLBACK = /^\s*ROLLBACK\s+(?:WORK\s+)?TO\b/i;

/** What to do with a statement: send it, or, because the transaction is lost, something else. */
export type Verdict = Readonly<{ do: 'send' }> | Readonly<{ do: 'refuse' | 'roll-back'; because: Error }>;

const SEND: Verdict = { do: 'send' };

/**
 * The transaction on one connection. A dead-lock ends it on the server: what is sent after that would be kept for good,
 * statement by statement, and a lock time-out leaves a part of it. So once it lost a race nothing of it can go on,
 * whatever its caller makes of the error, and its COMMIT becomes a ROLLBACK.
 */
export class OpenTransaction {
  private open = false;
  private lost: Error | null = null;
  /** How often it went back to a savepoint; what was written since is gone, though the rest may be committed. */
  partsUndone = 0;

  ask(sql: string): Verdict {
    if (this.lost === null || WHOLE_ROLLBACK.test(sql)) return SEND;
    return { do: COMMIT.test(sql) ? 'roll-back' : 'refuse', because: this.lost };
  }

  /** After a statement was answered; `error` is null when it was carried out. */
  note(sql: string, error: Error | null): void {
    if (error === null && PART_ROLLBACK.test(sql)) this.partsUndone += 1;
    if (BEGIN.test(sql)) this.open = error === null;
    else if (COMMIT.test(sql) || WHOLE_ROLLBACK.test(sql)) {
      this.open = false;
      this.lost = null;
    } else if (this.open && error !== null && lostARace(error)) this.lost = error;
  }
}

/** Nobody can say what is open on a connection that refused one of these: the next BEGIN could commit it. */
export const leavesDoubt = (sql: string, error: unknown): boolean =>
  (BEGIN.test(sql) || COMMIT.test(sql) || WHOLE_ROLLBACK.test(sql)) && !connectionLost(error);
