import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { populate } from './api/proxy-calls.js';
import { createApi } from './api/server.js';
import { Proxies } from './proxies.js';

export interface FaultProxyOptions {
  readonly host: string;
  /** Of the HTTP API; 0 takes a free one. */
  readonly port: number;
  /** The same seed, calls and order of connections give the same dice, jitter and slices. */
  readonly seed: number;
  /** Serves `/metrics`. */
  readonly withMetrics?: boolean;
  readonly config?: Config;
}

/** Proxies to start with. As in the original, what is wrong with them is only told: the server starts all the same. */
export interface Config {
  /** As `POST /populate` takes them. */
  readonly read: () => Promise<unknown>;
  /** It could not be read, or not all of it could be made; the proxies before the wrong one are there. */
  readonly onError: (error: unknown) => void;
}

export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /** Closes the API and every connection. */
  stop(): Promise<void>;
}

/** A server that speaks Toxiproxy's HTTP API. Rejects when a port cannot be had. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const proxies = new Proxies(options.seed);
  if (options.config !== undefined) await setUp(proxies, options.config);
  const api = createApi({ proxies, withMetrics: options.withMetrics ?? false });
  api.listen(options.port, options.host);
  await once(api, 'listening');
  const { address: host, port } = api.address() as AddressInfo;
  return {
    host,
    port,
    stop: async () => {
      const closed = once(api, 'close');
      api.close();
      api.closeAllConnections();
      await Promise.all([closed, proxies.stop()]);
    },
  };
}

async function setUp(proxies: Proxies, { read, onError }: Config): Promise<void> {
  try {
    await populate(proxies, await read());
  } catch (error) {
    onError(error);
  }
}
