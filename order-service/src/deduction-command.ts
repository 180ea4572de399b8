import { DEDUCT, type Deduction } from '@counterfoil/contracts';
import type { TaskCommand } from '@counterfoil/message-table';

import type { NewOrder } from './orders-store.js';

/** The message that an order leaves behind: deduct this from stock. */
export function deductionCommand({ id, messageId, request }: NewOrder): TaskCommand {
  const { productId, quantity } = request;
  const content: Deduction = { orderId: id, productId, quantity };
  const { exchange, routingKey } = DEDUCT;
  return { messageId, taskName: 'inventory.deduct', channel: 'rabbitmq', config: { exchange, routingKey }, content };
}
