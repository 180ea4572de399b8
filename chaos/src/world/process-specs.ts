import type { DatabaseName, ServiceSpec, Stack } from '@counterfoil/stack';

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

const ORDER_DATABASES = ['order', 'order-2'] as const satisfies DatabaseName[];

/** One for each shard. */
export const orderDatabases = ({ shards }: WorldPlan): DatabaseName[] => ORDER_DATABASES.slice(0, shards?.length ?? 1);

export interface Between {
  /** On the links to the servers. */
  readonly proxies: FaultProxies | null;
  /** On the way of the deductions over HTTP. */
  readonly recorder: Recorder | null;
}

/** What to start for a plan, each process with the addresses of its own links: direct, or through what stands between. */
export function specsOf(world: WorldPlan, stack: Stack, { proxies, recorder }: Between): ServiceSpec[] {
  const through = (link: string, url: string): string => proxies?.through(link as Link, url) ?? url;
  return Object.entries(KINDS).flatMap(([name, kind], kindIndex) =>
    Array.from({ length: kind.count(world) }, (_, index) => {
      const { link, script, database, setting } = kind;
      const own = database === 'order-db' ? shardOf(world, index) : { database: 'inventory' as const, env: {} };
      const env = {
        LOG_LEVEL: 'info',
        ...world.settings,
        ...(recorder === null ? {} : overHttp(recorder)),
        ...own.env,
        [setting]: through(`${link}→${database}`, stack.database(own.database).url),
        AMQP_URL: through(`${link}→broker`, brokerUrls(stack, kindIndex + index)),
      };
      return { name: `${name}-${String(index + 1)}`, script: mainOf(script), env };
    }),
  );
}

/** Every node, each process beginning with another one. */
function brokerUrls({ brokers }: Stack, turn: number): string {
  const urls = brokers.map(({ url }) => url);
  const first = turn % urls.length;
  return [...urls.slice(first), ...urls.slice(0, first)].join(',');
}

const WORKER_IDS = 1024;

/** A process of the order side belongs to one shard; ids of two shards never meet. */
function shardOf(world: WorldPlan, index: number): { database: DatabaseName; env: Record<string, string> } {
  const { shards = [] } = world;
  const number = index % Math.max(1, shards.length);
  const database = ORDER_DATABASES[number] ?? 'order';
  const shard = shards[number];
  if (shard === undefined) return { database, env: {} };
  const each = Math.floor(WORKER_IDS / shards.length);
  const workerIds = `${String(number * each)}-${String((number + 1) * each - 1)}`;
  return { database, env: { ORDER_SHARD: shard, WORKER_IDS: workerIds } };
}

/** Whoever sends deductions may send them to the recorder, which is at an address of this machine. */
const overHttp = ({ url, hostPort }: Recorder): Record<string, string> => ({
  INVENTORY_URL: url,
  HTTP_ALLOW: hostPort,
  HTTP_ALLOW_PRIVATE: hostPort,
});
