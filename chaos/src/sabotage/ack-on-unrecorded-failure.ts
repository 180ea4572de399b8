/** Removes: what cannot be recorded is not acknowledged. A delivery is acknowledged whatever became of it. */
import { replaceMethod } from './replace.js';

interface ConsumerLike {
  readonly subscription: { ack(deliveries: readonly unknown[]): void };
}

type HandleSome = (this: ConsumerLike, open: readonly unknown[], count: number) => Promise<unknown[]>;

replaceMethod(
  'message-table/consumer/queue-consumer',
  ['QueueConsumer', 'handleSome'],
  (original: HandleSome): HandleSome =>
    async function (open, count) {
      try {
        return await original.call(this, open, count);
      } catch {
        this.subscription.ack(open.slice(0, count));
        return open.slice(count);
      }
    },
);
