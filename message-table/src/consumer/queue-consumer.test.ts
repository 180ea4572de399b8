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
): { consumer: QueueConsumer; deliver: (facts?: Partial<Delivery>) => void; turnedAway: (string | undefined)[] } {
  const turnedAway: (string | undefined)[] = [];
  let deliver: (facts: Partial<Delivery>) => void = () => undefined;
  const done = (): Promise<void> => Promise.resolve();
  const subscription: Subscription = {
    ...{ start: () => undefined, stop: done, ack: () => undefined },
    deadLetter: ({ messageId }) => turnedAway.push(messageId),
    ...{ pause: done, resume: done, isConsuming: () => true },
  };
  const consumer = new QueueConsumer({
    ...{
      consumer: 'effect',
      events: createEvents(),
      batch,
      lingerMs: 0,
      unstorable: 'dead-letter',
      toReceived,
      handle,
    },
    batchBytes: () => Promise.resolve(1_000),
    subscribe: (onDelivery) => {
      deliver = (facts) => onDelivery({ ...delivery, ...facts });
      return subscription;
    },
  });
  return { consumer, deliver: (facts = {}) => deliver(facts), turnedAway };
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

describe('a message whose handling itself breaks', () => {
  it.each([1, 10])(
    'when that is so three times alone (batches of %d), then it is turned away, and the others are handled',
    async (batch) => {
      const calls: string[] = [];
      const { consumer, deliver, turnedAway } = consumerOf((messages) => {
        const ids = messages.map(({ messageId }) => messageId);
        calls.push(ids.join());
        if (ids.includes('deep')) return Promise.reject(new RangeError('Maximum call stack size exceeded'));
        return Promise.resolve(messages.map(() => 'success'));
      }, batch);
      for (const messageId of ['deep', 'a', 'b']) deliver({ messageId, deliveryCount: 0 });
      await eventually(() => calls.includes('a') && calls.includes('b') && turnedAway.length === 1);
      await consumer.stop();
      expect(turnedAway).toEqual(['deep']);
      expect(calls.filter((ids) => ids === 'deep')).toHaveLength(3);
    },
  );

  it('when the handling of every message breaks, then it is no message that does it: one is turned away, and the next one stays', async () => {
    let calls = 0;
    const { consumer, deliver, turnedAway } = consumerOf(() => {
      calls += 1;
      return Promise.reject(new TypeError('undefined is not a function'));
    });
    for (const messageId of ['a', 'b', 'c']) deliver({ messageId });
    await eventually(() => calls === 7);
    await consumer.stop();
    expect(turnedAway).toEqual(['a']);
  });

  it('when all that is handled breaks because the database is away, then nothing is turned away', async () => {
    let calls = 0;
    const { consumer, deliver, turnedAway } = consumerOf(() => {
      calls += 1;
      return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    });
    deliver();
    await eventually(() => calls === 4);
    await consumer.stop();
    expect(turnedAway).toEqual([]);
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
