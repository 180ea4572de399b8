import { errorHandler, Problem, traceRequest, type Database, type OperationsHandler } from '@counterfoil/message-table';
import express, { type Express, type Response } from 'express';
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

export function createHttpApp(options: HttpAppOptions): Express {
  const intake = createIntake((requests) => options.place(requests));
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    if (!options.operations(request, response)) next();
  });
  const json = express.json({ limit: '64kb', inflate: false, strict: false });
  app.post('/orders', traceRequest('/orders'), json, async (request, response) => {
    refuseUnlessOpen(options, intake.size);
    if (!request.is('application/json')) throw new Problem(415, 'not-json', 'Send content-type: application/json');
    const placed = await intake.take(readOrderRequest(request));
    answer(response, placed);
  });
  app.get('/orders/:id', getOrder(options.db));
  app.use(() => {
    throw new Problem(404, 'not-found', 'There is nothing here; see POST /orders and GET /orders/:id');
  });
  app.use(errorHandler(options.log));
  return app;
}

function refuseUnlessOpen({ closedBecause, backlogFull }: HttpAppOptions, waiting: number): void {
  const closed = closedBecause();
  if (closed !== null) throw new Problem(503, 'not-accepted', closed, 1);
  if (backlogFull()) throw new Problem(429, 'backlog-full', 'Too many messages wait to be sent', 5);
  if (waiting >= WAITING_LIMIT) throw new Problem(503, 'not-accepted', 'Too many requests wait to be stored', 1);
}

function answer(response: Response, placed: Placed): void {
  switch (placed.kind) {
    case 'created':
    case 'replayed': {
      const { id, productId, quantity, status, messageId } = placed.order;
      if (placed.kind === 'replayed') response.setHeader('Idempotent-Replayed', 'true');
      response.status(placed.kind === 'created' ? 201 : 200);
      response.setHeader('Location', `/orders/${id}`);
      response.json({ id, productId, quantity, status, messageId });
      return;
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
