import { DECIDED, decidedRoute, deduction, readBody, type Decision, type Deduction } from '@counterfoil/contracts';
import type { Acceptor, Effect, EffectItem, TaskCommand } from '@counterfoil/message-table';

import { decideStock } from './decide-stock.js';
import { lockStock, takeStock } from './products-store.js';

/** Deducts stock and sends the decision, in the transaction that notes the message. */
export const deductEffect = (acceptor: Acceptor, maxRetryCount: number): Effect<Deduction> => ({
  name: 'inventory.deduct',
  maxRetryCount,
  read: ({ body }) => readBody(deduction, body),
  apply: async (trx, items) => {
    const deductions = items.map(({ value }) => value);
    const productIds = [...new Set(deductions.map(({ productId }) => productId))].sort((a, b) => a - b);
    const { decisions, taken } = decideStock(deductions, await lockStock(trx, productIds));
    await takeStock(trx, taken);
    const commands = decisions.map((decision, index) => decisionCommand(decision, items[index]));
    await acceptor.acceptAll(trx, commands);
  },
});

/** Back to whoever asked. */
function decisionCommand(content: Decision, asked: EffectItem<Deduction> | undefined): TaskCommand {
  const { value, trace } = asked ?? {};
  const { exchange, routingKey } = value?.shard === undefined ? DECIDED : decidedRoute(value.shard);
  return { taskName: 'order.deduction-decided', channel: 'rabbitmq', config: { exchange, routingKey }, content, trace };
}
