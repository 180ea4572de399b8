import fc from 'fast-check';
import { UnsettledTags } from './unsettled-tags.js';

function tagsUpTo(count: number): UnsettledTags {
  const tags = new UnsettledTags();
  for (let tag = 1; tag <= count; tag += 1) tags.add(tag);
  return tags;
}

describe('An ack reaches exactly the deliveries that were given', () => {
  it('when all lower ones are in the list, then one multiple ack says it all', () => {
    expect(tagsUpTo(5).ack([3, 1, 2])).toEqual({ upTo: 3, single: [] });
  });

  it('when a lower one is still open, then those above it are acked one by one', () => {
    expect(tagsUpTo(5).ack([1, 3, 4])).toEqual({ upTo: 1, single: [3, 4] });
  });

  it('when a lower one was settled before, then it does not stand in the way', () => {
    const tags = tagsUpTo(3);
    expect(tags.settle(1)).toBe(true);
    expect(tags.ack([2, 3])).toEqual({ upTo: 3, single: [] });
  });

  it('when a tag is acked twice, then the broker hears of it once', () => {
    const tags = tagsUpTo(2);
    tags.ack([1]);
    expect(tags.ack([1])).toEqual({ upTo: null, single: [] });
    expect(tags.settle(1)).toBe(false);
  });

  it('when any lists are acked in any order, then each tag is acked once and no other', () => {
    const lists = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 30 })), { maxLength: 10 });
    fc.assert(
      fc.property(lists, (batches) => {
        const tags = tagsUpTo(30);
        const open = new Set(Array.from({ length: 30 }, (_, at) => at + 1));
        for (const batch of batches) {
          const { upTo, single } = tags.ack(batch);
          const reached = [...open].filter((tag) => tag <= (upTo ?? 0) || single.includes(tag));
          expect(new Set(reached)).toEqual(new Set(batch.filter((tag) => open.has(tag))));
          for (const tag of batch) open.delete(tag);
        }
      }),
    );
  });
});
