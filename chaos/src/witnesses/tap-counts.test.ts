import { TapCounts } from './tap-counts.js';

describe('the counts of the tap', () => {
  it('when a message is published in two attempts, or one attempt is published twice, then both count', () => {
    const counts = new TapCounts();
    counts.record('a', '1:1');
    counts.record('a', '1:3');
    counts.record('b', '2:1');
    counts.record('b', '2:1');
    expect(counts.published).toEqual(
      new Map([
        ['a', 2],
        ['b', 2],
      ]),
    );
  });

  it('when a connection was lost and an attempt comes again, then it does not count; a new attempt does', () => {
    const counts = new TapCounts();
    counts.record('a', '1:1');
    counts.connectionLost();
    counts.record('a', '1:1');
    counts.record('a', '1:3');
    expect(counts.published.get('a')).toBe(2);
  });
});
