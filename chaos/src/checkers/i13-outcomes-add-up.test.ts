import { aRun } from '../testkit/facts-builder.js';
import { broken, double, isOrder, withHistory } from '../testkit/mutate.js';

describe('I13, outcomes add up', () => {
  it('when the counts do not add up, then it is broken', () => {
    const facts = aRun();
    expect(broken({ ...facts, load: { ...facts.load, ok: 29 } })).toEqual(['I13']);
    expect(broken({ ...facts, load: { ...facts.load, attempted: 31, ok: 31 } })).toEqual(['I13']);
  });

  it('when an order is missing from the history, twice in it, or has another outcome there, then it is broken', () => {
    expect(broken(withHistory(aRun(), (record) => (isOrder(record, 3) ? null : record)))).toEqual(['I13']);
    const facts = aRun();
    expect(broken({ ...facts, history: double(facts.history, 5) })).toEqual(['I13']);
    const unsure = withHistory(aRun(), (record) =>
      record.kind === 'order' && record.index === 3 ? { ...record, outcome: 'info' } : record,
    );
    expect(broken(unsure)).toEqual(['I13']);
  });

  it('when the generator names another failed order than it counts, then it is broken', () => {
    const facts = aRun();
    expect(broken({ ...facts, load: { ...facts.load, failed: [3] } })).toEqual(['I13']);
  });
});
