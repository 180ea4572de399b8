import { createHash } from 'node:crypto';

import { currentTrace, idempotencyKeyOf, Problem } from '@counterfoil/message-table';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

import type { OrderRequest } from './order.js';

const body = z.object({
  productId: z.int({ error: 'must be a whole number from 1 to 2^53 - 1' }).min(1),
  quantity: z
    .int({ error: 'must be a whole number from 1 to 2147483647' })
    .min(1)
    .max(2 ** 31 - 1),
});

/** @throws Problem 400 for whatever no order can be made of; nothing has been stored then */
export function readOrderRequest(request: FastifyRequest): OrderRequest {
  const idempotencyKey = idempotencyKeyOf(request.raw);
  const parsed = body.safeParse(request.body);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
    throw new Problem(400, 'malformed', problems.join('; '));
  }
  const { productId, quantity } = parsed.data;
  const requestHash = createHash('sha256')
    .update(`${String(productId)}:${String(quantity)}`)
    .digest('base64url');
  return { productId, quantity, idempotencyKey, requestHash, trace: currentTrace() };
}
