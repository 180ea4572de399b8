import type { ServiceSpec, Stack } from '@counterfoil/stack';

import type { Link, WorldPlan } from '../plan.js';
import type { Recorder } from '../recorder/recorder.js';
import type { FaultProxies } from './fault-proxies.js';
import { mainOf } from './main-of.js';

interface Kind {
  /** As links call it: `relay→order-db`. */
  readonly link: string;
  readonly script: string;
  readonly database: 'order-db' | 'inventory-db';
  /** The setting that names its database. */
  readonly setting: string;
  readonly count: (world: WorldPlan) => number;
}

/** By the first part of a process's name. */
const KINDS: Readonly<Record<string, Kind>> = {
  'order-service': {
    link: 'order-service',
    script: 'order-service',
    database: 'order-db',
    setting: 'ORDER_DB_URL',
    count: ({ orderServices }) => orderServices,
  },
  'inventory-service': {
    link: 'inventory',
    script: 'inventory-service',
    database: 'inventory-db',
    setting: 'INVENTORY_DB_URL',
    count: ({ inventoryServices }) => inventoryServices,
  },
  relay: { link: 'relay', script: 'relay', database: 'order-db', setting: 'DB_URL', count: ({ relays }) => relays },
  'inventory-relay': {
    link: 'inventory-relay',
    script: 'relay',
    database: 'inventory-db',
    setting: 'DB_URL',
    count: ({ inventoryRelays }) => inventoryRelays,
  },
};

export interface Between {
  /** On the links to the servers. */
  readonly proxies: FaultProxies | null;
  /** On the way of the deductions over HTTP. */
  readonly recorder: Recorder | null;
}

/** What to start for a plan, each process with the addresses of its own links: direct, or through what stands between. */
export function specsOf(world: WorldPlan, stack: Stack, { proxies, recorder }: Between): ServiceSpec[] {
  const through = (link: string, url: string): string => proxies?.through(link as Link, url) ?? url;
  const urls = { 'order-db': stack.orderDb.url, 'inventory-db': stack.inventoryDb.url };
  return Object.entries(KINDS).flatMap(([name, { link, script, database, setting, count }]) => {
    const env = {
      LOG_LEVEL: 'info',
      ...world.settings,
      ...(recorder === null ? {} : overHttp(recorder)),
      [setting]: through(`${link}→${database}`, urls[database]),
      AMQP_URL: through(`${link}→broker`, stack.broker.url),
    };
    return Array.from({ length: count(world) }, (_, index) => ({
      name: `${name}-${String(index + 1)}`,
      script: mainOf(script),
      env,
    }));
  });
}

/** Whoever sends deductions may send them to the recorder, which is at an address of this machine. */
const overHttp = ({ url, hostPort }: Recorder): Record<string, string> => ({
  INVENTORY_URL: url,
  HTTP_ALLOW: hostPort,
  HTTP_ALLOW_PRIVATE: hostPort,
});
