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
  /** Proxies to start with, as `POST /populate` takes them. */
  readonly config?: unknown;
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
  await populate(proxies, options.config ?? null);
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
