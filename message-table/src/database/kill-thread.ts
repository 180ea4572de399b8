import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2';

interface Driver {
  createConnection(options: ConnectionOptions): Connection;
}

export interface Thread {
  readonly id: number;
  /** How long ago it came to be, ms. */
  readonly ageMs: number;
}

const PATIENCE_MS = 2_000;

/**
 * Best effort, from another connection: a statement that waits for a lock goes on inside the server after its client
 * is gone, and keeps its locks. A server that cannot be reached ends it by its own time-outs.
 *
 * A server that was restarted since gives the same numbers to others, so one that is younger than the thread is left alone.
 */
export function killThread(driver: Driver, options: ConnectionOptions, { id, ageMs }: Thread): void {
  const killer = driver.createConnection(options);
  const end = (): void => killer.destroy();
  killer.on('error', () => undefined);
  setTimeout(end, PATIENCE_MS).unref();
  killer.query<RowDataPacket[]>(`SHOW GLOBAL STATUS LIKE 'Uptime'`, (error, rows) => {
    const isOlder = error === null && Number(rows[0]?.['Value']) * 1000 >= ageMs;
    if (!isOlder) end();
    else killer.query(`KILL ${String(id)}`, end);
  });
}
