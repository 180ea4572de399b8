import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

import type { Server, Stack } from '@counterfoil/stack';
import { Toxiproxy } from 'toxiproxy-node-client';

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

/** Ready. In a container, where the servers are in some and there is an image; unless TOXIPROXY_BIN names a program. */
export async function startProxyServer(stack: Stack, ports: number, seed: number): Promise<ProxyServer> {
  const inContainer = programNamed() === null ? await stack.startFaultProxy({ ports, seed }) : null;
  if (inContainer === null) return startOnHost(seed);
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

const programNamed = (): string | null => process.env['TOXIPROXY_BIN'] ?? null;

/** The real Toxiproxy where this machine has it, else ours. */
async function startOnHost(seed: number): Promise<ProxyServer> {
  const apiPort = await freePort();
  const api = `http://127.0.0.1:${String(apiPort)}`;
  const child = spawnServer(apiPort, seed);
  await untilItAnswers(new Toxiproxy(api), child);
  return {
    api,
    listenHost: '127.0.0.1',
    get pid() {
      return child.exitCode === null ? child.pid : undefined;
    },
    takePort: freePort,
    upstream: ({ port }) => `127.0.0.1:${String(port)}`,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const OURS = join(__dirname, '..', 'fault-proxy', 'main.js');

function spawnServer(port: number, seed: number): ChildProcess {
  const args = ['-host', '127.0.0.1', '-port', String(port), '-seed', String(seed)];
  const real = programNamed() ?? onPath('toxiproxy-server');
  return real === null
    ? spawn(process.execPath, [OURS, ...args.map((arg) => arg.replace(/^-(?=[a-z])/, '--'))], {
        // The channel tells it when we are gone, however we end.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
    : spawn(real, args, { stdio: 'ignore' });
}

function onPath(program: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? null;
}

async function untilItAnswers(client: Toxiproxy, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The fault proxy ended at once with ${String(child.exitCode)}`);
    const answered = await client.getVersion().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The fault proxy does not answer');
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
