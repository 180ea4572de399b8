import { createConnection, type RowDataPacket } from 'mysql2/promise';

import type { Plan } from '../plan.js';
import type { World } from '../world/world.js';

/** What tells that something may still move, beyond rows that are open and queues that hold a message. */
export interface Signs {
  /** Every server and every process of ours. */
  allUp(): boolean;
  /** In all databases; infinitely many in one that cannot be asked. */
  openTransactions(): Promise<number>;
  /** Ready and unacknowledged, over all queues of the broker; infinitely many when it cannot be asked. */
  heldMessages(): Promise<number>;
}

/**
 * Proof that nothing can move any more, though not everything is as it should be: a run that lost something need not
 * be watched for the whole of the bound.
 *
 * A row moves only out of PENDING, SENDING, PENDING_RETRY or RETRYING, or when somebody handles a delivery. So when
 * every process and server is up, no row is in one of these, no message is ready or unacknowledged in the broker and no
 * transaction is open in either database, only what a process has not yet noticed could change that: a connection that
 * is dead (two heartbeats) or an answer that is waited for (the longest deadline). It must hold for that long, and for
 * as long as the broker's own figures may be old, without a break.
 */
export class FinalProof {
  private holdsSinceMs: number | null = null;

  constructor(
    private readonly signs: Signs,
    private readonly mustHoldMs: number,
  ) {}

  /** @param nothingOpen no row of either database is open and no queue holds a message, by the look just taken */
  async isFinal(nothingOpen: boolean, nowMs: number): Promise<boolean> {
    if (!nothingOpen || !this.signs.allUp() || (await this.signs.openTransactions()) > 0) {
      this.holdsSinceMs = null;
      return false;
    }
    this.holdsSinceMs ??= nowMs;
    if (nowMs - this.holdsSinceMs < this.mustHoldMs) return false;
    if ((await this.signs.heldMessages()) === 0) return true;
    this.holdsSinceMs = null;
    return false;
  }
}

export const signsOf = ({ stack, servers, orderDbs, services }: World): Signs => ({
  allUp: () => [...servers, ...services.values()].every((one) => one.isRunning()),
  openTransactions: async () => {
    const open = await Promise.all([...orderDbs, stack.inventoryDb].map(({ url }) => countTransactions(url)));
    return open.reduce((total, one) => total + one, 0);
  },
  heldMessages: async () => {
    const listing = stack.broker.ctl(
      '-q',
      'list_queues',
      '--no-table-headers',
      'messages_ready',
      'messages_unacknowledged',
    );
    return listing.then(sumOfNumbers, () => Infinity);
  },
});

/** Anything that is no number makes it infinite: it is no sign that nothing is held. */
export function sumOfNumbers(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || !words.every((word) => /^\d+$/.test(word))) return Infinity;
  return words.reduce((total, word) => total + Number(word), 0);
}

const TRANSACTIONS = 'SELECT COUNT(*) AS count FROM information_schema.innodb_trx';

/** One that cannot be asked may have any number open. */
async function countTransactions(url: string): Promise<number> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 3_000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(TRANSACTIONS);
      return Number(rows[0]?.['count'] ?? Infinity);
    } finally {
      connection.destroy();
    }
  } catch {
    return Infinity;
  }
}

/** A quorum queue tells its figures every five seconds. */
const BROKER_FIGURES_MS = 5_000;

export function surelyNoticedMs({ world: { settings } }: Pick<Plan, 'world'>): number {
  const ms = (name: string, fallback: number): number => Number(settings[name] ?? fallback);
  const deadlines = [ms('DB_DEADLINE_MS', 10_000), ms('AMQP_DEADLINE_MS', 5_000), ms('ATTEMPT_TIMEOUT_MS', 5_000)];
  return 2_000 * ms('AMQP_HEARTBEAT_S', 10) + Math.max(...deadlines) + BROKER_FIGURES_MS;
}
