import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

import type { Stack } from '@counterfoil/stack';
import { Toxiproxy, type Proxy } from 'toxiproxy-node-client';

import type { Effect } from '../history.js';
import type { Link } from '../plan.js';

export interface FaultProxies {
  /** The same URL with the proxy's address, or the URL itself when the link is not proxied. */
  through(link: Link, url: string): string;
  proxy(link: Link): Promise<Proxy>;
  /** What the proxy has done to a link so far; empty when the server in use does not count. */
  effects(link: Link): Promise<Effect>;
  healAll(): Promise<void>;
  stop(): Promise<void>;
}

/** One proxy for each link, on a proxy server of its own process: the real Toxiproxy where there is one, else ours. */
export async function startFaultProxies(stack: Stack, links: readonly Link[], seed: number): Promise<FaultProxies> {
  const apiPort = await freePort();
  const child = spawnServer(apiPort, seed);
  const api = `http://127.0.0.1:${String(apiPort)}`;
  const client = new Toxiproxy(api);
  await untilItAnswers(client, child);
  const addresses = new Map<Link, string>();
  for (const link of links) {
    const listen = `127.0.0.1:${String(await freePort())}`;
    await client.createProxy({ name: nameOf(link), listen, upstream: upstreamOf(link, stack), enabled: true });
    addresses.set(link, listen);
  }
  return {
    through: (link, url) => {
      const address = addresses.get(link);
      if (address === undefined) return url;
      const proxied = new URL(url);
      proxied.host = address;
      return proxied.href;
    },
    proxy: (link) => client.get(nameOf(link)),
    effects: (link) => readEffects(`${api}/proxies/${encodeURIComponent(nameOf(link))}/effects`),
    healAll: () => client.reset(),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Toxiproxy's names go into URL paths. */
const nameOf = (link: Link): string => link.replace('→', '-to-');

function upstreamOf(link: Link, stack: Stack): string {
  const server = link.endsWith('→broker')
    ? stack.broker
    : link.endsWith('→order-db')
      ? stack.orderDb
      : stack.inventoryDb;
  return `127.0.0.1:${String(server.port)}`;
}

const OURS = join(__dirname, '..', 'fault-proxy', 'main.js');

function spawnServer(port: number, seed: number): ChildProcess {
  const args = ['-host', '127.0.0.1', '-port', String(port), '-seed', String(seed)];
  const real = process.env['TOXIPROXY_BIN'] ?? onPath('toxiproxy-server');
  return real === null
    ? spawn(process.execPath, [OURS, ...args.map((arg) => arg.replace(/^-(?=[a-z])/, '--'))], {
        stdio: ['ignore', 'ignore', 'inherit'],
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

/** Only ours counts what it does; the original answers 404. */
async function readEffects(url: string): Promise<Effect> {
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) return {};
  const body = (await response.json()) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
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
