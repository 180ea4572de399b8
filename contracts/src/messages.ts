import { PermanentError } from '@counterfoil/message-table';
import { z } from 'zod';

const id = z.string().regex(/^[1-9]\d{0,18}$/, 'is not an id');
/** Names a shard of orders in settings, bodies and queues. */
export const SHARD_NAME = /^[a-z0-9][a-z0-9-]{0,19}$/;

const MAX_QUANTITY = 2 ** 31 - 1;

/** Body of a deduction. The product id is a JSON number below 2^53, so it survives every parser. */
export const deduction = z.object({
  orderId: id,
  productId: z.int().min(1),
  quantity: z.int().min(1).max(MAX_QUANTITY),
  /** Which shard asks, and gets the decision; left out where orders have one database. */
  shard: z.string().regex(SHARD_NAME, 'is not the name of a shard').optional(),
});
export type Deduction = z.infer<typeof deduction>;

/** Body of a decision. */
export const decision = z.object({
  orderId: id,
  outcome: z.enum(['CONFIRMED', 'REJECTED']),
  reason: z.string().max(200).optional(),
});
export type Decision = z.infer<typeof decision>;

/** @throws PermanentError when the body is not JSON of this shape: no further attempt can read it either */
export function readBody<T>(schema: z.ZodType<T>, body: Buffer): T {
  const text = body.toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new PermanentError('The body is not JSON', { cause });
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new PermanentError(`The body does not fit: ${problems}`);
}
