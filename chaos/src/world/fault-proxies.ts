import type { Server, Stack } from '@counterfoil/stack';
import { Toxiproxy, type Proxy } from 'toxiproxy-node-client';

import type { Effect } from '../history.js';
import type { Link } from '../plan.js';
import { probeLink, type Probe } from './link-probe.js';
import { startProxyServer, type ProxyServer } from './proxy-server.js';

export interface FaultProxies {
  /** The same URL with the proxy's address, or the URL itself when the link is not proxied. */
  through(link: Link, url: string): string;
  proxy(link: Link): Promise<Proxy>;
  /** What the proxy has done to a link so far; null when the server in use does not count. */
  effects(link: Link): Promise<Effect | null>;
  /** How a connection of our own fares on a link at this moment. */
  probe(link: Link): Promise<Probe>;
  healAll(): Promise<void>;
  stop(): Promise<void>;
  /** Of the server that the proxies are on. */
  readonly pid: number | undefined;
  /** What the reader of a verdict should know of them. */
  readonly notes: readonly string[];
}

/** One proxy for each link, on one proxy server. */
export async function startFaultProxies(stack: Stack, links: readonly Link[], seed: number): Promise<FaultProxies> {
  const server = await startProxyServer(stack, { ports: links.length, seed });
  try {
    return around(server, await proxiesFor(links, server, stack), stack);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @returns where each of them is reached from this machine */
async function proxiesFor(links: readonly Link[], server: ProxyServer, stack: Stack): Promise<Map<Link, string>> {
  const client = new Toxiproxy(server.api);
  const addresses = new Map<Link, string>();
  for (const link of links) {
    const port = String(await server.takePort());
    const upstream = server.upstream(serverOf(link, stack));
    await client.createProxy({ name: nameOf(link), listen: `${server.listenHost}:${port}`, upstream, enabled: true });
    addresses.set(link, `127.0.0.1:${port}`);
  }
  return addresses;
}

function around(server: ProxyServer, addresses: ReadonlyMap<Link, string>, stack: Stack): FaultProxies {
  const client = new Toxiproxy(server.api);
  return {
    through: (link, url) => {
      const address = addresses.get(link);
      if (address === undefined) return url;
      const proxied = new URL(url);
      proxied.host = address;
      return proxied.href;
    },
    proxy: (link) => client.get(nameOf(link)),
    effects: (link) => readEffects(`${server.api}/proxies/${encodeURIComponent(nameOf(link))}/effects`),
    probe: (link) => probeLink(addresses.get(link) ?? '', link.endsWith('→broker') ? 'broker' : 'database'),
    healAll: () => client.reset(),
    stop: () => server.stop(),
    get pid() {
      return server.pid;
    },
    notes:
      stack.backend === 'containers' && server.listenHost === '127.0.0.1'
        ? ['the fault proxy runs on this machine and not in a container: no image of it is there (TOXIPROXY_IMAGE)']
        : [],
  };
}

/** Toxiproxy's names go into URL paths. */
const nameOf = (link: Link): string => link.replace('→', '-to-');

function serverOf(link: Link, stack: Stack): Server {
  if (link.endsWith('→broker')) return stack.broker;
  return link.endsWith('→order-db') ? stack.orderDb : stack.inventoryDb;
}

/** Only ours counts what it does; the original answers 404. */
export async function readEffects(url: string): Promise<Effect | null> {
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) return null;
  const body = (await response.json()) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
