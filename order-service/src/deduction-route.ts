import { DEDUCT, DEDUCTIONS_PATH } from '@counterfoil/contracts';
import type { TaskCommandFor, Values } from '@counterfoil/message-table';

import type { settings } from './settings.js';

type RouteBy<Name extends 'rabbitmq' | 'http'> = Pick<TaskCommandFor<Name>, 'channel' | 'config'>;

/** The way that deductions take to the inventory. */
export type DeductionRoute = RouteBy<'rabbitmq'> | RouteBy<'http'>;

export function deductionRoute({
  ORDER_CHANNEL,
  INVENTORY_URL,
}: Pick<Values<typeof settings>, 'ORDER_CHANNEL' | 'INVENTORY_URL'>): DeductionRoute {
  if (ORDER_CHANNEL === 'http')
    return { channel: 'http', config: { url: INVENTORY_URL.replace(/\/$/, '') + DEDUCTIONS_PATH } };
  const { exchange, routingKey } = DEDUCT;
  return { channel: 'rabbitmq', config: { exchange, routingKey } };
}
