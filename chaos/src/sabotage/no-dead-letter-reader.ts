/** Removes: the reader of the dead-letter queue. What the broker gives up on stays there. */
import { replaceMethod } from './replace.js';

interface ConsumerLike {
  readonly options: { readonly unstorable: 'dead-letter' | 'hold' };
}

type Start = (this: ConsumerLike) => Promise<void>;

replaceMethod(
  'message-table/consumer/queue-consumer',
  ['QueueConsumer', 'start'],
  (original: Start): Start =>
    function () {
      return this.options.unstorable === 'hold' ? Promise.resolve() : original.call(this);
    },
);
