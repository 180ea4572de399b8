import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { joinAddress, type Address } from './address.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'cannot assign requested address',
};

/** Rejects with the original's words for what the OS said. Clients are handed over paused. */
export async function listen(address: Address, onClient: (client: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, onClient);
  try {
    await bind(server, address);
    return server;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A machine without IPv6.
    if (code === 'EAFNOSUPPORT' && address.host === '::') return listen({ ...address, host: '0.0.0.0' }, onClient);
    throw new Error(`listen tcp ${joinAddress(address)}: bind: ${REASONS[code ?? ''] ?? message}`, { cause: error });
  }
}

export function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return joinAddress({ host: address === '0.0.0.0' ? '::' : address, port });
}

/** Resolves when the port is free. Only connections that are still open delay it. */
export const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

function bind(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...address, backlog: 1024 }, () => {
      server.off('error', reject);
      // A client that is gone before it was accepted.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
