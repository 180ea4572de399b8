/** Removes: a message is handed over only after COMMIT returned success. It is sent while its transaction is still open. */
import { replace, replaceMethod } from './replace.js';

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

const sending = new Set<Promise<unknown>>();

replace('message-table/database/transaction', 'afterCommit', () => (_trx: unknown, hook: () => void) => hook());

replaceMethod(
  'message-table/producer/sender',
  ['Sender', 'attempt'],
  (original: Method): Method =>
    function (...args) {
      const attempt = original.apply(this, args).finally(() => sending.delete(attempt));
      sending.add(attempt);
      return attempt;
    },
);

replaceMethod(
  'message-table/producer/accept',
  ['Acceptor', 'acceptAll'],
  (original: Method): Method =>
    async function (...args) {
      const accepted = await original.apply(this, args);
      await Promise.allSettled(sending);
      return accepted;
    },
);
