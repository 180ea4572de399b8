import type { Knex } from 'knex';
import type { Connection } from 'mysql2';

import { leaveSoon } from './mysql-client.js';
import { selectRows } from './rows.js';

/** MySQL's `super_read_only` sets `read_only` as well; MariaDB has no such thing. Some replicas say it of their storage alone. */
const READ_ONLY = 'SELECT @@read_only AS server, @@innodb_read_only AS storage';

type ReadOnly = Readonly<Record<'server' | 'storage', number | string>>;

/** Numbers, or words where a server knows more than two kinds. */
const isOff = (value: number | string): boolean => /^(0|OFF)$/i.test(String(value));

/**
 * Asks the server, in one round trip. One that takes no writes has become a replica: its connection is left, for the name
 * may lead to another one by now, and whoever only asks would keep it for ever.
 *
 * @returns false also where this account could write nevertheless
 * @throws the driver's error when the server does not answer
 */
export async function takesWrites(pool: Knex): Promise<boolean> {
  const client = pool.client as Connections;
  const connection = await client.acquireConnection();
  try {
    const onIt = { raw: (sql: string) => pool.raw(sql).connection(connection) };
    const [row] = await selectRows<ReadOnly>(onIt, READ_ONLY);
    const takes = row !== undefined && isOff(row.server) && isOff(row.storage);
    if (!takes) leaveSoon(connection, new Error('the server takes no writes'));
    return takes;
  } finally {
    await client.releaseConnection(connection);
  }
}

interface Connections {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
}
