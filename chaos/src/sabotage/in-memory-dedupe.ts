/** Removes: the inbox in the database decides. A process remembers what it has handled, until it is started again. */
import { built, replace, rewriteSql } from './replace.js';

interface Received {
  readonly messageId: string;
  readonly consumer: string;
}

type Find = (runner: unknown, consumer: string, messageIds: readonly string[]) => Promise<Map<string, string>>;
type Insert = (trx: unknown, received: readonly Received[], maxRetryCount: number) => Promise<void>;

const { afterCommit } = built('message-table/database/transaction') as {
  afterCommit: (trx: unknown, hook: () => void) => void;
};
const handled = new Set<string>();

replace(
  'message-table/consumer/store/notes',
  'findKnown',
  (): Find => (_runner, consumer, messageIds) =>
    Promise.resolve(new Map(messageIds.filter((id) => handled.has(`${consumer} ${id}`)).map((id) => [id, 'SUCCESS']))),
);

replace(
  'message-table/consumer/store/notes',
  'insertSuccess',
  (original: Insert): Insert =>
    async (trx, received, maxRetryCount) => {
      await original(trx, received, maxRetryCount);
      afterCommit(trx, () => received.forEach(({ consumer, messageId }) => handled.add(`${consumer} ${messageId}`)));
    },
);

rewriteSql({
  having: [`'SUCCESS', 0, NULL`],
  find: 'INSERT INTO consumer_message',
  put: 'INSERT IGNORE INTO consumer_message',
});
