import { Problem, type Database } from '@counterfoil/message-table';
import type { FastifyRequest } from 'fastify';

import { findOrder } from './orders-store.js';

/** `GET /orders/:id` */
export const getOrder =
  ({ knex }: Database) =>
  async ({ params: { id } }: FastifyRequest<{ Params: { id: string } }>): Promise<object> => {
    if (!/^[1-9]\d{0,18}$/.test(id) || BigInt(id) >= 2n ** 63n)
      throw new Problem(400, 'malformed', 'An order id is a number below 2^63');
    const order = await findOrder(knex, id);
    if (order === null) throw new Problem(404, 'not-found', `There is no order ${id}`);
    const { productId, quantity, status, reason, messageId } = order;
    return { id, productId, quantity, status, ...(reason === null ? {} : { reason }), messageId };
  };
