/** Removes: leases and due times are the database's clock alone. Whoever claims, settles or sweeps goes by its own. */
import { replace } from './replace.js';

type Run = (runner: unknown, sql: string, bindings?: readonly unknown[]) => Promise<unknown>;

/** On this process's clock. */
const now = (): string => `FROM_UNIXTIME(${(Date.now() / 1000).toFixed(3)})`;

for (const name of ['changeRows', 'selectRows']) {
  replace('message-table/database/rows', name, (original: Run): Run => (runner, sql, bindings) => {
    const isMeant = sql.includes('producer_message') && !sql.includes('INSERT');
    return original(runner, isMeant ? sql.replaceAll('NOW(3)', now) : sql, bindings);
  });
}
