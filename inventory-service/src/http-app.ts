import type { RequestListener } from 'node:http';

import {
  answerErrors,
  Problem,
  runInTransaction,
  type Database,
  type OperationsHandler,
  type Transaction,
} from '@counterfoil/message-table';
import { createRoutes } from '@counterfoil/message-table/fastify';
import type { Runner } from '@counterfoil/message-table/rows';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';

import { findProduct, putProduct, restockProduct, type Product } from './products-store.js';
import { takeDeduction, type TakeDeductionOptions } from './take-deduction.js';

export interface HttpAppOptions {
  readonly deductions: TakeDeductionOptions;
  readonly db: Database;
  readonly operations: OperationsHandler;
  readonly log: Logger;
}

const count = z.int().min(0);
const newProduct = z.object({ name: z.string().min(1).max(200), stock: count });
const restock = z.object({ quantity: z.int().min(1) });

interface ById {
  Params: { id: string };
}

export function createHttpApp({ db, deductions, operations, log }: HttpAppOptions): RequestListener {
  return createRoutes({
    operations,
    answerError: answerErrors(log),
    nothingHere:
      'There is nothing here; see GET and PUT /products/:id, POST /products/:id/restock and POST /deductions',
    routes: (app) => {
      void app.register(takeDeduction(deductions));
      app.get<ById>('/products/:id', (request) => productOr404(db.knex, productId(request)));
      app.put<ById>('/products/:id', (request) => {
        const id = productId(request);
        const product = { id, ...read(newProduct, request.body) };
        return changed(db, id, (trx) => putProduct(trx, product));
      });
      app.post<ById>('/products/:id/restock', (request) => {
        const id = productId(request);
        const { quantity } = read(restock, request.body);
        return changed(db, id, (trx) => restockProduct(trx, id, quantity));
      });
    },
  });
}

/**
 * Changes a product and reads it for the answer, in one transaction: when its COMMIT stays unanswered nobody says that
 * nothing was stored, and nothing that can fail comes after it.
 */
const changed = (db: Database, id: number, change: (trx: Transaction) => Promise<unknown>): Promise<Product> =>
  runInTransaction(db, async (trx) => {
    await change(trx);
    return productOr404(trx, id);
  });

async function productOr404(runner: Runner, id: number): Promise<Product> {
  const product = await findProduct(runner, id);
  if (product === null) throw new Problem(404, 'not-found', `There is no product ${String(id)}`);
  return product;
}

function productId({ params }: FastifyRequest<ById>): number {
  const id = Number(params.id);
  if (!/^[1-9]\d*$/.test(params.id) || !Number.isSafeInteger(id))
    throw new Problem(400, 'malformed', 'A product id is a whole number from 1');
  return id;
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Problem(
    400,
    'malformed',
    parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  );
}
