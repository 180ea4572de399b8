import type { IncomingMessage } from 'node:http';

import { isUsableKey } from '../usable-key.js';
import { Problem } from './problem.js';

/**
 * What names a request, however often it is repeated. Two lines of it would be read as one, which is another name.
 *
 * @returns null when there is none
 * @throws Problem 400 for one that cannot be stored as it is
 */
export function idempotencyKeyOf({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return null;
  if (isUsableKey(key) && others.length === 0) return key;
  throw new Problem(
    400,
    'idempotency-key-invalid',
    'Idempotency-Key must come once, as 1 to 64 printable ASCII characters without blanks at its ends',
  );
}
