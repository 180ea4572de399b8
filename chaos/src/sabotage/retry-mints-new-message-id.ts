/** Removes: a message keeps its id over all attempts. Each further attempt is published under a new one. */
import { randomUUID } from 'node:crypto';

import { replace } from './replace.js';

type Options = (message: { readonly version: number }, attempt: string) => Readonly<Record<string, unknown>>;

/** The relay's first claim; the fast path's is 0. */
const FIRST_CLAIM = 1;

replace(
  'message-table/channels/rabbitmq/publication',
  'publishOptions',
  (original: Options): Options =>
    (message, attempt) => ({
      ...original(message, attempt),
      ...(message.version > FIRST_CLAIM ? { messageId: randomUUID() } : {}),
    }),
);
