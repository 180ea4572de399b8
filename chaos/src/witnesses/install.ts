import { createConnection, type Connection } from 'mysql2/promise';

import { LEDGERS, type Ledger } from './ledger-sql.js';

export interface DatabaseUrls {
  /** One for each shard. */
  readonly orderDbs: readonly string[];
  readonly inventoryDb: string;
}

/**
 * Puts the ledgers and their triggers into all databases.
 *
 * Call it after the services migrated and before the load: what happened earlier is in no ledger. It may be called
 * again; what the ledgers hold stays. Only for servers of the harness: on a server that writes a binary log the
 * account needs `log_bin_trust_function_creators`.
 *
 * @throws the driver's error, such as ER_NO_SUCH_TABLE when a service has not migrated yet
 */
export async function installWitnesses({ orderDbs, inventoryDb }: DatabaseUrls): Promise<void> {
  for (const orderDb of orderDbs) await installLedgers(orderDb, LEDGERS.order);
  await installLedgers(inventoryDb, LEDGERS.inventory);
}

async function installLedgers(url: string, ledgers: readonly Ledger[]): Promise<void> {
  const connection = await createConnection(url);
  try {
    for (const ledger of ledgers) await install(connection, ledger);
  } finally {
    await connection.end();
  }
}

async function install(connection: Connection, { trigger, createTable, createTrigger }: Ledger): Promise<void> {
  await connection.query(createTable);
  await connection.query(`DROP TRIGGER IF EXISTS ${trigger}`);
  await connection.query(createTrigger);
}
