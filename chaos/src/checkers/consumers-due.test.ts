import { aRun } from '../testkit/facts-builder.js';
import { consumersDue } from './consumers-due.js';

const { world } = aRun().plan;

describe('how many consumers a queue should have', () => {
  it('when there are no shards, then every process of its side consumes it and its dead letters', () => {
    expect(consumersDue({ ...world, inventoryServices: 2 })).toEqual({
      ...{ 'inventory.deduct': 2, 'inventory.dead': 2 },
      ...{ 'order.deduction-decided': 1, 'order.dead': 1 },
    });
  });

  it('when orders have shards, then each shard has queues and processes of its own', () => {
    expect(consumersDue({ ...world, orderServices: 3, shards: ['a', 'b'] })).toMatchObject({
      ...{ 'order.deduction-decided.a': 2, 'order.dead.a': 2 },
      ...{ 'order.deduction-decided.b': 1, 'order.dead.b': 1 },
    });
  });
});
