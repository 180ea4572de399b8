import { dirname, join } from 'node:path';

import type { ServiceProcess, ServiceSpec, Stack } from '@counterfoil/stack';

export interface Services {
  readonly orderService: ServiceProcess;
  readonly inventoryService: ServiceProcess;
  /** Any number of them share one database. */
  readonly orderRelays: readonly ServiceProcess[];
  readonly inventoryRelay: ServiceProcess;
  readonly all: readonly ServiceProcess[];
}

const mainOf = (packageFile: string): string => join(dirname(packageFile), 'dist', 'main.js');

const ORDER_SERVICE = mainOf(require.resolve('@counterfoil/order-service/package.json'));
const INVENTORY_SERVICE = mainOf(require.resolve('@counterfoil/inventory-service/package.json'));
const RELAY = mainOf(require.resolve('@counterfoil/relay/package.json'));

/** Resolves when each is ready for its work. `portOf` says where one should listen; undefined: on any free port. */
export async function startServices(
  stack: Stack,
  portOf: (index: number) => number | undefined = () => undefined,
): Promise<Services> {
  const orderDb = stack.orderDb.url;
  const inventoryDb = stack.inventoryDb.url;
  const start = (index: number, name: string, script: string, env: Record<string, string>): Promise<ServiceProcess> => {
    const port = portOf(index);
    const spec: ServiceSpec = { name, script, env: { AMQP_URL: stack.broker.url, LOG_LEVEL: 'warn', ...env } };
    return stack.startService(port === undefined ? spec : { ...spec, port });
  };
  const [orderService, inventoryService, relay1, relay2, inventoryRelay] = await Promise.all([
    start(0, 'order-service', ORDER_SERVICE, { ORDER_DB_URL: orderDb }),
    start(1, 'inventory-service', INVENTORY_SERVICE, { INVENTORY_DB_URL: inventoryDb }),
    start(2, 'relay-1', RELAY, { DB_URL: orderDb }),
    start(3, 'relay-2', RELAY, { DB_URL: orderDb }),
    start(4, 'inventory-relay', RELAY, { DB_URL: inventoryDb }),
  ]);
  return {
    orderService,
    inventoryService,
    orderRelays: [relay1, relay2],
    inventoryRelay,
    all: [orderService, inventoryService, relay1, relay2, inventoryRelay],
  };
}
