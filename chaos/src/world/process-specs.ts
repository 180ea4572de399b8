import type { ServiceSpec, Stack } from '@counterfoil/stack';

import type { Link, WorldPlan } from '../plan.js';
import type { FaultProxies } from './fault-proxies.js';
import { mainOf } from './world.js';

type Kind = 'order-service' | 'inventory' | 'relay' | 'inventory-relay';

/** What to start for a plan, each process with the addresses of its own links: direct, or through a proxy. */
export function specsOf(world: WorldPlan, stack: Stack, proxies: FaultProxies | null): ServiceSpec[] {
  const { settings } = world;
  const through = (link: Link, url: string): string => proxies?.through(link, url) ?? url;
  const spec = (kind: Kind, name: string, script: string, database: string, url: string): ServiceSpec => {
    const databaseLink =
      `${kind}→${kind === 'order-service' || kind === 'relay' ? 'order-db' : 'inventory-db'}` as Link;
    const env = { [database]: through(databaseLink, url), AMQP_URL: through(`${kind}→broker`, stack.broker.url) };
    return { name, script: mainOf(script), env: { LOG_LEVEL: 'info', ...settings, ...env } };
  };
  const numbered = (count: number, make: (index: number) => ServiceSpec): ServiceSpec[] =>
    Array.from({ length: count }, (_, index) => make(index + 1));
  const orderDb = stack.orderDb.url;
  const inventoryDb = stack.inventoryDb.url;
  return [
    ...numbered(world.orderServices, (n) =>
      spec('order-service', `order-service-${String(n)}`, 'order-service', 'ORDER_DB_URL', orderDb),
    ),
    ...numbered(world.inventoryServices, (n) =>
      spec('inventory', `inventory-service-${String(n)}`, 'inventory-service', 'INVENTORY_DB_URL', inventoryDb),
    ),
    ...numbered(world.relays, (n) => spec('relay', `relay-${String(n)}`, 'relay', 'DB_URL', orderDb)),
    ...numbered(world.inventoryRelays, (n) =>
      spec('inventory-relay', `inventory-relay-${String(n)}`, 'relay', 'DB_URL', inventoryDb),
    ),
  ];
}
