/** Removes: a message keeps its Idempotency-Key over all attempts. Each further attempt has one of its own. */
import { randomUUID } from 'node:crypto';

import { replace } from './replace.js';

type Headers = Readonly<Record<string, string>>;
type Make = (message: { readonly version: number }, ...rest: unknown[]) => Headers;

/** The relay's first claim; the fast path's is 0. */
const FIRST_CLAIM = 1;

replace(
  'message-table/channels/http/request-headers',
  'requestHeaders',
  (original: Make): Make =>
    (message, ...rest) => ({
      ...original(message, ...rest),
      ...(message.version > FIRST_CLAIM ? { 'idempotency-key': randomUUID() } : {}),
    }),
);
