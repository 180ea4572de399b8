import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';

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
/** Of a stopping server: much less than a process has for finishing what it holds, of which this is the first part. */
const SLOW_CLIENT_WHILE_STOPPING_MS = 1_000;
const LONGEST_CHECK_MS = 500;

export function createHttp({ port, host, handler, slowClientMs = SLOW_CLIENT_MS }: HttpOptions): Http {
  let open = false;
  let stopping = false;
  const checkMs = Math.min(slowClientMs / 5, LONGEST_CHECK_MS);
  const options = { connectionsCheckingInterval: checkMs, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    // Keep-alive connections would otherwise bring new requests for as long as they like.
    if (stopping || lacksHost(request)) response.setHeader('connection', 'close');
    if (lacksHost(request)) sendProblem(response, NO_HOST);
    else handler(request, response);
  });
  cutOffAfter(server, slowClientMs);
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
        cutOffAfter(server, Math.min(slowClientMs, SLOW_CLIENT_WHILE_STOPPING_MS));
        return close(server);
      },
    },
  };
}

function cutOffAfter(server: Server, ms: number): void {
  server.requestTimeout = ms;
  server.headersTimeout = ms;
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });

/** Takes no new connections; resolves when every open request is answered, or was cut off because it did not come. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) {
      resolve();
      return;
    }
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, 50);
    // An HTTP server's own close also ends its check for slow clients: one with half a request would keep it open for ever.
    NetServer.prototype.close.call(server, () => {
      clearInterval(idle);
      server.close(); // ends the check
      resolve();
    });
    server.closeIdleConnections();
  });
