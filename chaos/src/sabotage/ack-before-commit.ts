/** Removes: a delivery is acknowledged only after COMMIT. It is acknowledged first and handled then. */
import { setTimeout as sleep } from 'node:timers/promises';

import { replaceMethod } from './replace.js';

interface ConsumerLike {
  readonly subscription: { ack(deliveries: readonly unknown[]): void };
}

type HandleSome = (this: ConsumerLike, open: readonly unknown[], count: number) => Promise<unknown[]>;

/** For the acknowledgement to leave the process. */
const LEAVES_MS = 2;

replaceMethod(
  'message-table/consumer/queue-consumer',
  ['QueueConsumer', 'handleSome'],
  (original: HandleSome): HandleSome =>
    async function (open, count) {
      this.subscription.ack(open.slice(0, count));
      await sleep(LEAVES_MS);
      return original.call(this, open, count);
    },
);
