import type { Deduction } from '@counterfoil/contracts';
import type { TaskCommand } from '@counterfoil/message-table';

import type { DeductionRoute } from './deduction-route.js';
import type { NewOrder } from './orders-store.js';

/**
 * The message that an order leaves behind: deduct this from stock.
 *
 * @param shard of this order database; null where there is one for all
 */
export function deductionCommand(
  { id, messageId, request }: NewOrder,
  route: DeductionRoute,
  shard: string | null,
): TaskCommand {
  const { productId, quantity, trace } = request;
  const content: Deduction = { orderId: id, productId, quantity, ...(shard === null ? {} : { shard }) };
  return { ...route, messageId, taskName: 'inventory.deduct', content, trace };
}
