import type { Database } from '@counterfoil/message-table';
import { firstIdAt, selectRows } from '@counterfoil/message-table/rows';

const DAY_MS = 86_400_000;
const NOW = 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000 AS nowMs';

/** The smallest id that can be younger than so many days on the database's clock: ids carry their time. */
export async function firstIdWithin(db: Database, days: number): Promise<string> {
  const [row] = await selectRows<{ nowMs: number | string }>(db.knex, NOW);
  return firstIdAt(Number(row?.nowMs) - days * DAY_MS);
}
