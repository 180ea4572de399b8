import { dirname, join } from 'node:path';

import { startStack, type ServiceProcess, type Stack } from '@counterfoil/stack';

import type { Profile } from './shared.js';

const mainOf = (packageFile: string): string => join(dirname(packageFile), 'dist', 'main.js');

const ORDER_SERVICE = mainOf(require.resolve('@counterfoil/order-service/package.json'));
const INVENTORY_SERVICE = mainOf(require.resolve('@counterfoil/inventory-service/package.json'));
const RELAY = mainOf(require.resolve('@counterfoil/relay/package.json'));

const RELAYS = 2;

export interface PrivateSystem extends AsyncDisposable {
  readonly url: string;
  readonly inventoryUrl: string;
}

/** Servers and services of our own, for one run; as the profile wants them. */
export async function startPrivateSystem({ settings = {}, relays = RELAYS }: Profile): Promise<PrivateSystem> {
  const stack = await startStack();
  try {
    const { url, inventoryUrl } = await startServices(stack, settings, relays);
    return { url, inventoryUrl, [Symbol.asyncDispose]: () => stack.stop() };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function startServices(
  stack: Stack,
  settings: Readonly<Record<string, string>>,
  relays: number,
): Promise<{ url: string; inventoryUrl: string }> {
  const start = (name: string, script: string, env: Record<string, string>): Promise<ServiceProcess> =>
    stack.startService({
      name,
      script,
      env: { AMQP_URL: stack.broker.url, LOG_LEVEL: 'warn', ...settings, ...env },
    });
  const [orders, inventory] = await Promise.all([
    start('order-service', ORDER_SERVICE, { ORDER_DB_URL: stack.orderDb.url }),
    start('inventory-service', INVENTORY_SERVICE, { INVENTORY_DB_URL: stack.inventoryDb.url }),
    start('inventory-relay', RELAY, { DB_URL: stack.inventoryDb.url }),
    ...Array.from({ length: relays }, (_, index) =>
      start(`relay-${String(index + 1)}`, RELAY, { DB_URL: stack.orderDb.url }),
    ),
  ]);
  return { url: orders.url, inventoryUrl: inventory.url };
}
