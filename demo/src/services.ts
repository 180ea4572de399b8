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

export interface StartOptions {
  /** Where the service of this number should listen; undefined: on any free port. */
  readonly portOf?: (index: number) => number | undefined;
  /** The way of the deductions, as ORDER_CHANNEL. */
  readonly channel?: 'rabbitmq' | 'http';
}

/** Resolves when each is ready for its work. */
export async function startServices(
  stack: Stack,
  { portOf = () => undefined, channel = 'rabbitmq' }: StartOptions = {},
): Promise<Services> {
  const orderDb = stack.orderDb.url;
  const inventoryDb = stack.inventoryDb.url;
  const add = (index: number, name: string, script: string, env: Record<string, string>): Promise<ServiceProcess> => {
    const port = portOf(index);
    const spec: ServiceSpec = { name, script, env: { AMQP_URL: stack.broker.url, LOG_LEVEL: 'warn', ...env } };
    return stack.addService(port === undefined ? spec : { ...spec, port });
  };
  const inventoryService = await add(1, 'inventory-service', INVENTORY_SERVICE, { INVENTORY_DB_URL: inventoryDb });
  const http = overHttp(inventoryService);
  const orderService = await add(0, 'order-service', ORDER_SERVICE, {
    ORDER_DB_URL: orderDb,
    ORDER_CHANNEL: channel,
    ...http,
  });
  const relay1 = await add(2, 'relay-1', RELAY, { DB_URL: orderDb, ...http });
  const relay2 = await add(3, 'relay-2', RELAY, { DB_URL: orderDb, ...http });
  const inventoryRelay = await add(4, 'inventory-relay', RELAY, { DB_URL: inventoryDb });
  const all = [orderService, inventoryService, relay1, relay2, inventoryRelay];
  await Promise.all(all.map((service) => service.start()));
  return {
    orderService,
    inventoryService,
    orderRelays: [relay1, relay2],
    inventoryRelay,
    all,
  };
}

/** For whoever sends deductions: its port is the same over restarts, and on an address of this machine. */
function overHttp({ url }: ServiceProcess): Record<string, string> {
  const { host } = new URL(url);
  return { INVENTORY_URL: url, HTTP_ALLOW: host, HTTP_ALLOW_PRIVATE: host };
}
