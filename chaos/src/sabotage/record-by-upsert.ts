/** Removes: failures are recorded by plain INSERT. An upsert overwrites what the note says, a SUCCESS among it. */
import { replace } from './replace.js';

type Run = (runner: unknown, sql: string, bindings?: readonly unknown[]) => Promise<unknown>;

const OVERWRITE = `
  ON DUPLICATE KEY UPDATE status = VALUES(status), retry_count = VALUES(retry_count), error_msg = VALUES(error_msg),
    next_retry_time = VALUES(next_retry_time), success_time = NULL, version = version + 1`;

replace('message-table/database/rows', 'changeRows', (original: Run): Run => (runner, sql, bindings) => {
  const isFailure = sql.includes('INSERT INTO consumer_message') && !sql.includes(`'SUCCESS'`);
  return original(runner, isFailure ? sql + OVERWRITE : sql, bindings);
});
