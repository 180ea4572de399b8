import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

import { createServer, type Connection } from 'mysql2';

type Row = Readonly<Record<string, number | string>>;

/**
 * Speaks MySQL's protocol and answers every question with one row: what a server says of itself cannot be changed on
 * one that other tests use.
 */
export class ReplicaServer implements AsyncDisposable {
  connections = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param row asked anew for each question */
  static async open(row: () => Row): Promise<ReplicaServer> {
    const mysql = createServer((connection) => serve(connection, row));
    // Its types know neither the address nor the server below.
    const listen = mysql.listen.bind(mysql) as (port: number, host: string) => void;
    listen(0, '127.0.0.1');
    const { _server: server } = mysql as unknown as { readonly _server: Server };
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const opened = new ReplicaServer(server, `mysql://u@127.0.0.1:${String(port)}/d`);
    server.on('connection', () => (opened.connections += 1));
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}

function serve(connection: Connection, row: () => Row): void {
  connection.serverHandshake({
    ...{ protocolVersion: 10, serverVersion: '8.4.0', connectionId: 1, statusFlags: 2, characterSet: 45 },
    capabilityFlags: 0xffffff,
  });
  connection.on('error', () => undefined);
  const answer = (write: () => void) => () => {
    connection.sequenceId = 1;
    write();
  };
  // So it calls SET.
  connection.on(
    'stmt_prepare',
    answer(() => connection.writeOk()),
  );
  connection.on(
    'query',
    answer(() => {
      const said = row();
      connection.writeTextResult([said], Object.keys(said).map(textColumn));
    }),
  );
}

const textColumn = (name: string) => ({
  ...{ catalog: 'def', schema: '', table: '', orgTable: '', name, orgName: name },
  ...{ characterSet: 45, columnLength: 255, columnType: 253, flags: 0, decimals: 0 },
});
