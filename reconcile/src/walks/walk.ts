import { firstIdWithin } from '../books/clock.js';
import type { Place } from '../books/messages.js';
import type { Difference } from '../difference.js';
import type { DatabaseName, Databases } from '../routes.js';

export interface Walking {
  readonly databases: Databases;
  /** Younger things are on their way, and no difference; ms. */
  readonly inFlightMs: number;
  /** How far back it looks; not further than the archives of the services reach. */
  readonly days: number;
  /** Called for each difference, and waited for before the walk goes on. */
  readonly onDifference: (difference: Difference) => Promise<void> | void;
}

// Below the 1000 from which MariaDB turns a list into a join with a temporary table.
const ROWS_PER_PAGE = 400;

/** First the live table, then the archive: what is moved meanwhile is met there. */
export const PLACES: readonly Place[] = ['live', 'archive'];

/** Rows in the order of their ids, a page and a statement at a time: no snapshot outlives a page, no memory grows. */
export async function* pagesOf<Row extends { readonly id: string }>(
  read: (afterId: string, limit: number) => Promise<Row[]>,
  fromId = '0',
): AsyncGenerator<Row[]> {
  for (let afterId = fromId; ;) {
    const rows = await read(afterId, ROWS_PER_PAGE);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) return;
    afterId = last.id;
  }
}

export const beginning = ({ databases, days }: Walking, database: DatabaseName): Promise<string> =>
  firstIdWithin(databases[database], days);

/**
 * What is read row by row is no snapshot: a message may be sent, noted or archived between two statements. So only
 * what shows again in a second look is a difference.
 */
export async function lookTwice(
  look: (only: readonly Difference[] | null) => Promise<Difference[]>,
): Promise<Difference[]> {
  const first = await look(null);
  if (first.length === 0) return [];
  const again = new Set((await look(first)).map(keyOf));
  return first.filter((difference) => again.has(keyOf(difference)));
}

const keyOf = ({ kind, orderId, messageId }: Difference): string => `${kind} ${orderId ?? ''} ${messageId ?? ''}`;
