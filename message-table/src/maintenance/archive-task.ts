import { CONSUMED_NOTES } from '../consumer/store/archive.js';
import type { Database } from '../database/database.js';
import { SENT_MESSAGES } from '../producer/store/archive.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import { ARCHIVE_BATCH, moveToArchive, withinBytes, type ArchiveSource, type Candidate } from './archive-batch.js';
import { keepPartitions } from './partitions.js';

export interface ArchivePolicy {
  /** How long a finished row stays in the live table. Longer: a larger table; a message id is unique that long. */
  readonly retentionMs: number;
  /** How long the archive keeps it after that. Dropped by whole days. */
  readonly archiveDays: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_REST_MS = 60_000;
const REST_AFTER_ERROR_MS = 60_000;

/**
 * Moves what is SENT for long enough, and keeps the archive's partitions. Every relay may run it: SKIP LOCKED and the
 * fence share the rows out, so nobody has to be the only one.
 */
export const createProducerArchive = (db: Database, policy: ArchivePolicy): Loop[] =>
  archiveLoops('producer', db, SENT_MESSAGES, policy);

/** The same for SUCCESS notes; every consuming process may run it. */
export const createConsumerArchive = (db: Database, policy: ArchivePolicy): Loop[] =>
  archiveLoops('consumer', db, CONSUMED_NOTES, policy);

function archiveLoops(side: string, db: Database, source: ArchiveSource, policy: ArchivePolicy): Loop[] {
  const { retentionMs, archiveDays } = policy;
  const { events } = db;
  const walk = new ArchiveWalk(db, source, retentionMs);
  const restMs = Math.min(LONGEST_REST_MS, retentionMs / 10);
  const keptDays = archiveDays + Math.ceil(retentionMs / DAY_MS);
  const archive = createLoop({
    name: `${side}-archive`,
    events,
    periodMs: LONGEST_REST_MS,
    step: async () => {
      const startedMs = performance.now();
      const { isOver } = await walk.next();
      // Twice the time that it took: never more than a third of what the database has.
      return isOver ? jittered(restMs) : 2 * (performance.now() - startedMs);
    },
  });
  const partitions = createLoop({
    name: `${side}-partitions`,
    events,
    periodMs: HOUR_MS,
    restAfterErrorMs: REST_AFTER_ERROR_MS,
    step: async () => {
      await keepPartitions(db, `${source.table}_archive`, keptDays);
      return jittered(HOUR_MS);
    },
  });
  return [partitions, archive];
}

/** Passes over a table, batch by batch, without holding anything in between. */
export class ArchiveWalk {
  private ranges: number[] = [];
  private afterId = '0';

  constructor(
    private readonly db: Database,
    private readonly source: ArchiveSource,
    private readonly retentionMs: number,
  ) {}

  /** Looks at the next rows and moves those that are old enough. `isOver`: the pass has seen all there was. */
  async next(): Promise<{ readonly moved: number; readonly isOver: boolean }> {
    const { db, source, retentionMs } = this;
    const startedMs = performance.now();
    if (this.ranges.length === 0) this.ranges = await source.ranges(db.knex, retentionMs);
    const [range] = this.ranges;
    if (range === undefined) return { moved: 0, isOver: true };
    const page = await source.page(db.knex, retentionMs, range, this.afterId);
    const batch = withinBytes(page);
    // On before the move: rows that cannot be moved are not in the way of those behind them.
    this.goOn(batch, batch.length === page.length && page.length < ARCHIVE_BATCH);
    const old = batch.filter(({ isOld }) => Number(isOld) === 1).map(({ id }) => id);
    const moved = old.length === 0 ? 0 : await moveToArchive(db, source.sql, old, retentionMs);
    const tookMs = performance.now() - startedMs;
    if (moved > 0) db.events.emit('archived', { table: source.table, count: moved, tookMs });
    return { moved, isOver: this.ranges.length === 0 };
  }

  private goOn(batch: readonly Candidate[], rangeEnds: boolean): void {
    if (rangeEnds) this.ranges = this.ranges.slice(1);
    this.afterId = rangeEnds ? '0' : (batch.at(-1)?.id ?? '0');
  }
}
