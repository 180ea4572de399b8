import { readSettings, pick } from '@counterfoil/message-table';

import { DECIDED, decidedRoute, deduction, topology } from './index.js';

const FIELDS = { orderId: '1', productId: 1, quantity: 1 };
const NAMES = ['a', 'shard-2', 'x'.repeat(20)];
const NO_NAMES = ['A', '-a', 'a b', 'a.b', 'x'.repeat(21)];

const settable = (name: string): boolean => {
  try {
    return readSettings(pick('ORDER_SHARD'), [], { ORDER_SHARD: name }).ORDER_SHARD === name;
  } catch {
    return false;
  }
};
const readable = (shard: string): boolean => deduction.safeParse({ ...FIELDS, shard }).success;

describe('shards of orders', () => {
  it('when a shard may be called so, then in settings as well as in a deduction', () => {
    expect([NAMES.map(settable), NAMES.map(readable)].flat()).toEqual(Array(6).fill(true));
    expect([NO_NAMES.map(settable), NO_NAMES.map(readable)].flat()).toEqual(Array(10).fill(false));
    expect(readSettings(pick('ORDER_SHARD'), [], {}).ORDER_SHARD).toBeNull();
  });

  it('when a process belongs to a shard, then it declares what all declare, and the queues of its own decisions', () => {
    const names = (shard: string | null) => topology(shard).queues.map(({ name }) => name);
    const own = decidedRoute('a');
    expect(names('a')).toEqual([...names(null), own.deadQueue, own.queue]);
    expect(topology('a').exchanges).toEqual(topology().exchanges);
    expect(topology('a').bindings.at(-1)).toEqual({
      ...{ queue: 'order.deduction-decided.a', exchange: DECIDED.exchange },
      routingKey: 'order.deduction-decided.a',
    });
  });

  it('when two shards give their decisions up, then each to a queue of its own', () => {
    const dead = (shard: string) =>
      topology(shard).queues.find(({ name }) => name === decidedRoute(shard).queue)?.arguments[
        'x-dead-letter-routing-key'
      ];
    expect([dead('a'), dead('b')]).toEqual(['order.dead.a', 'order.dead.b']);
  });
});
