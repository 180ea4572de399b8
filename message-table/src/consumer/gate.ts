import type { Database } from '../database/database.js';
import type { Received } from './consumer-message.js';
import { DatabaseClock } from './database-clock.js';
import { createdMsOf } from './headers.js';
import { fitsStatement, type PacketLimit } from './packet-limit.js';

/** Tells, before anything is tried, which messages cannot be handled whatever the effect does. */
export class Gate {
  private readonly clock: DatabaseClock;

  constructor(
    db: Database,
    private readonly packetLimit: PacketLimit,
    /** How long notes are kept, ms. */
    private readonly retentionMs: number,
  ) {
    this.clock = new DatabaseClock(db);
  }

  /** Why it is kept as FAILED at once, or null. @throws the driver's error */
  async problemOf({ problem, headers }: Received): Promise<string | null> {
    if (problem !== undefined) return problem;
    const createdMs = createdMsOf(headers);
    if (createdMs === undefined || this.retentionMs === Infinity) return null;
    const ageMs = (await this.clock.nowMs()) - createdMs;
    return ageMs > this.retentionMs ? TOO_OLD : null;
  }

  /** False when no statement can hold it. @throws the driver's error */
  async isStorable(received: Received): Promise<boolean> {
    return fitsStatement(received, await this.packetLimit.bytes());
  }
}

/** Its note, if there ever was one, may be archived by now. */
const TOO_OLD = 'too-old: it was accepted longer ago than notes are kept, so it may have taken effect already';
