import { selectRows, type Runner } from './rows.js';

/** How large a statement may be on this server. It answers a larger one by cutting the connection, which looks like an outage. */
export async function readPacketBytes(runner: Runner): Promise<number> {
  const [row] = await selectRows<{ bytes: number | string }>(runner, 'SELECT @@max_allowed_packet AS bytes');
  return Number(row?.bytes);
}

/** What a content's column holds: MEDIUMTEXT. */
export const COLUMN_BYTES = 2 ** 24 - 1;

/**
 * Bytes of content that one statement may carry: a quarter of the packet, because escaping can double a content and headers
 * come on top, and no more than the column holds.
 */
export class StatementBytes {
  private known: number | undefined;

  /**
   * Asks once.
   *
   * @param runner the caller's transaction: the pool may have no other connection for it
   * @throws the driver's error; the next call asks again
   */
  async of(runner: Runner): Promise<number> {
    this.known ??= Math.min(Math.floor((await readPacketBytes(runner)) / 4), COLUMN_BYTES);
    return this.known;
  }
}
