import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

export interface Traffic {
  /** Where the proxy is to lead. */
  readonly upstream: string;
  /** Connections that send as fast as they are read, or `bytesASecond` each. Resolves when all are open. */
  open(port: number, connections: number, bytesASecond: number | null): Promise<void>;
  /** What came out at the other end so far. */
  receivedBytes(): number;
}

const TICK_MS = 10;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Both ends of what goes through a proxy. */
export async function startTraffic(): Promise<Traffic> {
  let receivedBytes = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (data) => (receivedBytes += data.length)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    upstream: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    receivedBytes: () => receivedBytes,
    open: async (port, connections, bytesASecond) => {
      const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      for (const socket of sockets) {
        socket.on('error', () => undefined);
        if (bytesASecond === null) saturate(socket);
        else pace(socket, bytesASecond);
      }
    },
  };
}

function saturate(socket: Socket): void {
  const fill = (): void => {
    while (socket.write(CHUNK));
  };
  socket.on('drain', fill);
  fill();
}

function pace(socket: Socket, bytesASecond: number): void {
  const piece = Buffer.alloc(Math.max(1, Math.round((bytesASecond * TICK_MS) / 1000)), 'x');
  setInterval(() => socket.write(piece), TICK_MS);
}
