/** Removes: the unique key of the notes. Two consumers that look at the same time both find nothing and both go on. */
import { createConnection } from 'mysql2/promise';

import { replace } from './replace.js';

type Migrate = (url: string, ...rest: unknown[]) => Promise<void>;

const KEYS = `SHOW INDEX FROM consumer_message WHERE Key_name = 'one_effect'`;
const DROP = 'ALTER TABLE consumer_message DROP INDEX one_effect, ADD INDEX by_message (message_id, consumer)';

replace('message-table/database/migrate', 'migrate', (original: Migrate): Migrate => async (url, ...rest) => {
  await original(url, ...rest);
  const connection = await createConnection(url);
  try {
    const [keys] = await connection.query<never[]>(KEYS);
    if (keys.length > 0) await connection.query(DROP).catch(() => undefined);
  } finally {
    await connection.end();
  }
});
