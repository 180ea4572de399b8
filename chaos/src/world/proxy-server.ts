import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Server, Stack } from '@counterfoil/stack';

import { ProxyProcess } from './proxy-process.js';

/** Where the proxies of links are made: in a process of this machine, or in a container among the servers. */
export interface ProxyServer {
  /** URL of its HTTP API. */
  readonly api: string;
  /** Where a proxy has to listen so that it is reached at 127.0.0.1. */
  readonly listenHost: '127.0.0.1' | '0.0.0.0';
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  takePort(): Promise<number>;
  /** `host:port` at which it reaches a server. */
  upstream(server: Server): string;
  stop(): Promise<void>;
}

export interface ProxyServerOptions {
  /** How many proxies can listen on it. */
  readonly ports: number;
  readonly seed: number;
  /** How long a process is waited for; default 10 s. */
  readonly answersWithinMs?: number;
}

type Starter = Pick<Stack, 'startFaultProxy' | 'guard'>;

/**
 * Ready. In a container, where the servers are in some and there is an image; unless TOXIPROXY_BIN names a program.
 * @throws Error that names the program when it cannot be started, ends at once or does not answer; nothing is left of it
 */
export async function startProxyServer(stack: Starter, options: ProxyServerOptions): Promise<ProxyServer> {
  const { ports, seed } = options;
  const inContainer = programNamed() === null ? await stack.startFaultProxy({ ports, seed }) : null;
  if (inContainer === null) return startOnHost(stack, options);
  const free = inContainer.ports.values();
  return {
    api: inContainer.url,
    listenHost: '0.0.0.0',
    get pid() {
      return inContainer.pid;
    },
    takePort: async () => {
      const { value: port } = free.next();
      if (port === undefined) throw new Error('The fault proxy has no port left');
      return port;
    },
    upstream: ({ peerAddress }) => peerAddress,
    // The stack stops what it has started.
    stop: () => Promise.resolve(),
  };
}

function programNamed(): string | null {
  const named = process.env['TOXIPROXY_BIN'] ?? '';
  return named === '' ? null : named;
}

const OURS = join(__dirname, '..', 'fault-proxy', 'main.js');

/** The real Toxiproxy where this machine has it, else ours. */
async function startOnHost(stack: Starter, options: ProxyServerOptions): Promise<ProxyServer> {
  const port = String(await freePort());
  const api = `http://127.0.0.1:${port}`;
  const args = ['-host', '127.0.0.1', '-port', port, '-seed', String(options.seed)];
  const real = programNamed() ?? onPath('toxiproxy-server');
  const command = real === null ? [process.execPath, OURS, ...args] : [real, ...args];
  const start = async (): Promise<ProxyProcess> => answering(new ProxyProcess(command, stack), api, options);
  const server = await start().catch((error: unknown) => {
    throw new Error(`The fault proxy ${real ?? OURS}: ${(error as Error).message}`, { cause: error });
  });
  return {
    api,
    listenHost: '127.0.0.1',
    get pid() {
      return server.pid;
    },
    takePort: freePort,
    upstream: ({ port: upstreamPort }) => `127.0.0.1:${String(upstreamPort)}`,
    stop: () => server.stop(),
  };
}

function onPath(program: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? null;
}

/** One that does not answer is not left behind. */
async function answering(
  server: ProxyProcess,
  api: string,
  { answersWithinMs = 10_000 }: ProxyServerOptions,
): Promise<ProxyProcess> {
  try {
    await untilItAnswers(api, server, answersWithinMs);
    return server;
  } catch (error) {
    await server.stop('SIGKILL');
    throw error;
  }
}

async function untilItAnswers(api: string, server: ProxyProcess, withinMs: number): Promise<void> {
  // Bounds the calls as well: one that takes a connection and says nothing does not answer.
  const tooLate = AbortSignal.timeout(withinMs);
  while (!tooLate.aborted) {
    if (server.end !== null) throw new Error(server.end);
    const answered = await fetch(`${api}/version`, { signal: tooLate })
      .then((response) => response.text().then(() => response.ok))
      .catch(() => false);
    if (answered) return;
    await sleep(50);
  }
  throw new Error('it does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
