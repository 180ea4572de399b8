import type { RequestListener } from 'node:http';

import { answerErrors, Problem, traceRequest, type Database, type OperationsHandler } from '@counterfoil/message-table';
import { createRoutes } from '@counterfoil/message-table/fastify';
import type { FastifyReply, onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';

import { getOrder } from './get-order.js';
import { createIntake } from './intake.js';
import type { OrderRequest } from './order.js';
import type { Placed } from './placed.js';
import { readOrderRequest } from './read-order-request.js';

export interface HttpAppOptions {
  readonly db: Database;
  readonly place: (requests: readonly OrderRequest[]) => Promise<readonly Placed[]>;
  readonly operations: OperationsHandler;
  readonly log: Logger;
  /** Why no order can be taken now (starting, stopping), or null. */
  readonly closedBecause: () => string | null;
  /** True while the backlog is longer than this service is to build up. */
  readonly backlogFull: () => boolean;
}

/** Requests that wait or are being stored at most; more would only wait longer. */
const WAITING_LIMIT = 5_000;

export function createHttpApp(options: HttpAppOptions): RequestListener {
  const intake = createIntake((requests) => options.place(requests));
  const traced = traceRequest('/orders');
  return createRoutes({
    operations: options.operations,
    answerError: answerErrors(options.log),
    nothingHere: 'There is nothing here; see POST /orders and GET /orders/:id',
    routes: (app) => {
      const onRequest: onRequestHookHandler = ({ raw }, reply, done) => traced(raw, reply.raw, done);
      app.post('/orders', { onRequest }, async (request, reply) => {
        refuseUnlessOpen(options, intake.size);
        return answer(reply, await intake.take(readOrderRequest(request)));
      });
      app.get('/orders/:id', getOrder(options.db));
    },
  });
}

function refuseUnlessOpen({ closedBecause, backlogFull }: HttpAppOptions, waiting: number): void {
  const closed = closedBecause();
  if (closed !== null) throw new Problem(503, 'not-accepted', closed, 1);
  if (backlogFull()) throw new Problem(429, 'backlog-full', 'Too many messages wait to be sent', 5);
  if (waiting >= WAITING_LIMIT) throw new Problem(503, 'not-accepted', 'Too many requests wait to be stored', 1);
}

function answer(reply: FastifyReply, placed: Placed): object {
  switch (placed.kind) {
    case 'created':
    case 'replayed': {
      const { id, productId, quantity, status, messageId } = placed.order;
      if (placed.kind === 'replayed') void reply.header('Idempotent-Replayed', 'true');
      void reply.code(placed.kind === 'created' ? 201 : 200).header('Location', `/orders/${id}`);
      return { id, productId, quantity, status, messageId };
    }
    case 'key-reused':
      throw new Problem(422, 'key-reused', 'This Idempotency-Key was used for an order with other fields');
    case 'not-accepted':
      throw new Problem(503, 'not-accepted', 'Nothing was stored: the database cannot take it now', 1);
    case 'failed':
      throw placed.error as Error; // the last handler takes whatever it is
    case 'outcome-unknown':
      throw new Problem(503, 'outcome-unknown', 'The order may be stored; repeat with the same Idempotency-Key', 1);
  }
}
