import type { Delivery, Subscription } from '../channels/rabbitmq/index.js';
import { createEvents } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import type { Ending } from './ending.js';
import { QueueConsumer } from './queue-consumer.js';
import { toReceived } from './received.js';

const MINUTE_MS = 60_000;

const delivery: Delivery = {
  ...{ messageId: 'm', body: Buffer.from('{}'), exchange: 'e', routingKey: 'r', queue: 'q', headers: {} },
  ...{ type: undefined, contentType: undefined, createdMs: undefined, deliveryCount: 1, redelivered: true },
  alive: () => true,
};

/** A consumer of a queue that exists only here. */
function consumerOf(handle: () => Promise<Ending[]>): { consumer: QueueConsumer; deliver: () => void } {
  let deliver = (): void => undefined;
  const done = (): Promise<void> => Promise.resolve();
  const subscription: Subscription = {
    ...{ start: () => undefined, stop: done, ack: () => undefined, deadLetter: () => undefined },
    ...{ pause: done, resume: done, isConsuming: () => true },
  };
  const consumer = new QueueConsumer({
    ...{ consumer: 'effect', events: createEvents(), batch: 1, lingerMs: 0, unstorable: 'hold', toReceived, handle },
    batchBytes: () => Promise.resolve(1_000),
    subscribe: (onDelivery) => {
      deliver = () => onDelivery(delivery);
      return subscription;
    },
  });
  return { consumer, deliver: () => deliver() };
}

const realNow = performance.now.bind(performance);
const later = (ms: number): void => {
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);
};
afterEach(() => jest.restoreAllMocks());

describe('the health of a consumer', () => {
  it('AMQP-11: when an effect never ends, then the consumer does not turn any more, and health can say so', async () => {
    let begun = 0;
    const { consumer, deliver } = consumerOf(() => {
      begun += 1;
      return new Promise(() => undefined);
    });
    deliver();
    await eventually(() => begun === 1);
    later(MINUTE_MS);
    expect(consumer.isTurning()).toBe(true);
    later(6 * MINUTE_MS);
    expect(consumer.isTurning()).toBe(false);
  });

  it('when nothing comes for a long time, then it turns', async () => {
    let handled = 0;
    const { consumer, deliver } = consumerOf(() => {
      handled += 1;
      return Promise.resolve(['success']);
    });
    deliver();
    await eventually(() => handled === 1);
    await consumer.stop();
    later(60 * MINUTE_MS);
    expect(consumer.isTurning()).toBe(true);
  });
});
