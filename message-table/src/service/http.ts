import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { answerAsProblems, lacksHost, NO_HOST } from './http-problems.js';
import type { Service } from './lifecycle.js';
import { sendProblem } from './problem.js';

export interface HttpOptions {
  readonly port: number;
  /** Loopback unless a container asks for all interfaces: nothing here has a password. */
  readonly host: string;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** A client that sends its headers or its body slower than this is cut off. Shorter: a slow line is no line. */
  readonly slowClientMs?: number;
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

const SLOW_CLIENT_MS = 10_000;

export function createHttp({ port, host, handler, slowClientMs = SLOW_CLIENT_MS }: HttpOptions): Http {
  let open = false;
  let stopping = false;
  const options = { connectionsCheckingInterval: slowClientMs / 5, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    // Keep-alive connections would otherwise bring new requests for as long as they like.
    if (stopping || lacksHost(request)) response.setHeader('connection', 'close');
    if (lacksHost(request)) sendProblem(response, NO_HOST);
    else handler(request, response);
  });
  server.requestTimeout = slowClientMs;
  server.headersTimeout = slowClientMs;
  answerAsProblems(server);
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
