import type { Database } from '../database/database.js';
import { selectRows } from '../database/rows.js';

const NOW = 'SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED) AS nowMs';
const ASK_AGAIN_AFTER_MS = 60_000;

/** The database's time, for ages of messages: this host's clock may be days wrong. Good to a second. */
export class DatabaseClock {
  private asked: { readonly databaseMs: number; readonly atMs: number } | null = null;

  constructor(
    private readonly db: Database,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Milliseconds since 1970. @throws the driver's error when the server has to be asked and does not answer */
  async nowMs(): Promise<number> {
    const atMs = this.monotonicMs();
    if (this.asked === null || atMs - this.asked.atMs > ASK_AGAIN_AFTER_MS) {
      const [row] = await selectRows<{ nowMs: number | string }>(this.db.knex, NOW);
      this.asked = { databaseMs: Number(row?.nowMs), atMs };
    }
    return this.asked.databaseMs + (atMs - this.asked.atMs);
  }
}
