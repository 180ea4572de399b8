/** The class that knex itself uses for `client: 'mysql2'`; knex documents extending a client, but ships no types for it. */
declare module 'knex/lib/dialects/mysql2/index.js' {
  import type { Connection, ConnectionOptions } from 'mysql2';

  interface Statement {
    readonly sql: string;
    readonly bindings?: readonly unknown[];
    response?: unknown;
  }

  class MySQL2Client {
    config: Record<string, unknown>;
    connectionSettings: ConnectionOptions;
    driver: { createConnection(options: ConnectionOptions): Connection };
    acquireRawConnection(): Promise<Connection>;
    destroyRawConnection(connection: Connection): Promise<void>;
    query(connection: Connection, statement: Statement | string): Promise<unknown>;
    _query(connection: Connection, statement: Statement | string): Promise<Statement>;
  }

  export = MySQL2Client;
}
