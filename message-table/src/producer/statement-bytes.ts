import type { AnyTransaction } from '../database/foreign-transaction.js';
import { readPacketBytes } from '../database/packet-bytes.js';

/** MEDIUMTEXT. */
const COLUMN_BYTES = 2 ** 24 - 1;

/**
 * How much content a statement may carry. One that is larger than the server takes looks like a lost connection, and
 * whoever accepts it again would meet the same. A quarter, because escaping can double a content, and headers come on top.
 */
export class StatementBytes {
  private known: number | undefined;

  /** Asked once, inside the transaction: the pool may have no other connection for it. */
  async of(trx: AnyTransaction): Promise<number> {
    this.known ??= Math.min(Math.floor((await readPacketBytes(trx)) / 4), COLUMN_BYTES);
    return this.known;
  }
}
