import type { Delivery, Subscription } from '../channels/rabbitmq/index.js';
import { createEvents } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import type { Received } from './consumer-message.js';
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
function consumerOf(
  handle: (messages: readonly Received[]) => Promise<Ending[]>,
  batch = 1,
): { consumer: QueueConsumer; deliver: (facts?: Partial<Delivery>) => void } {
  let deliver: (facts: Partial<Delivery>) => void = () => undefined;
  const done = (): Promise<void> => Promise.resolve();
  const subscription: Subscription = {
    ...{ start: () => undefined, stop: done, ack: () => undefined, deadLetter: () => undefined },
    ...{ pause: done, resume: done, isConsuming: () => true },
  };
  const consumer = new QueueConsumer({
    ...{ consumer: 'effect', events: createEvents(), batch, lingerMs: 0, unstorable: 'hold', toReceived, handle },
    batchBytes: () => Promise.resolve(1_000),
    subscribe: (onDelivery) => {
      deliver = (facts) => onDelivery({ ...delivery, ...facts });
      return subscription;
    },
  });
  return { consumer, deliver: (facts = {}) => deliver(facts) };
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

describe('a message that meets the trouble of the database', () => {
  it('INB-03: when it spoils its batch and fails alone, then it goes behind the others', async () => {
    const calls: string[] = [];
    const { deliver } = consumerOf((messages) => {
      const ids = messages.map(({ messageId }) => messageId);
      calls.push(ids.join());
      const fails = ids.includes('poison') && calls.length < 5;
      return fails ? Promise.reject(Object.assign(new Error('held'), { errno: 1205 })) : Promise.resolve(['success']);
    }, 10);
    for (const messageId of ['poison', 'a', 'b']) deliver({ messageId, deliveryCount: 0 });
    await eventually(() => calls.length === 5);
    expect(calls).toEqual(['poison,a,b', 'poison', 'a', 'b', 'poison']);
  });
});
