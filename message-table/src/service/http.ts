import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { Service } from './lifecycle.js';

export interface HttpOptions {
  readonly port: number;
  /** Loopback unless a container asks for all interfaces: nothing here has a password. */
  readonly host: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * One HTTP server as two services. `listen` comes first, so that health can be asked while the rest waits for its
 * servers; `traffic` comes last, so that it is the first to stop: no new request meets a half-stopped process.
 */
export interface Http {
  readonly listen: Service;
  readonly traffic: Service;
  /** False before everything has started and from the moment the process stops. */
  isOpen(): boolean;
}

/** A client that sends its headers or its body slower than this is cut off, ms. */
const SLOW_CLIENT_MS = 10_000;

export function createHttp({ port, host, handler }: HttpOptions): Http {
  let open = false;
  let stopping = false;
  const server = createServer({ connectionsCheckingInterval: SLOW_CLIENT_MS / 5 }, (request, response) => {
    // Keep-alive connections would otherwise bring new requests for as long as they like.
    if (stopping) response.setHeader('connection', 'close');
    handler(request, response);
  });
  server.requestTimeout = SLOW_CLIENT_MS;
  server.headersTimeout = SLOW_CLIENT_MS;
  // Longer than the idle time-out of usual clients and balancers: whoever closes second loses no request.
  server.keepAliveTimeout = 65_000;
  return {
    isOpen: () => open,
    listen: { name: 'http', start: () => listen(server, port, host), stop: () => close(server) },
    traffic: {
      name: 'http-traffic',
      start: () => {
        open = true;
        return Promise.resolve();
      },
      stop: () => {
        open = false;
        stopping = true;
        return close(server);
      },
    },
  };
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

/** Takes no new connections; resolves when every open request is answered. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, 50);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
