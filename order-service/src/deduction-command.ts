import type { Deduction } from '@counterfoil/contracts';
import type { TaskCommand } from '@counterfoil/message-table';

import type { DeductionRoute } from './deduction-route.js';
import type { NewOrder } from './orders-store.js';

/** The message that an order leaves behind: deduct this from stock. */
export function deductionCommand({ id, messageId, request }: NewOrder, route: DeductionRoute): TaskCommand {
  const { productId, quantity } = request;
  const content: Deduction = { orderId: id, productId, quantity };
  return { ...route, messageId, taskName: 'inventory.deduct', content };
}
