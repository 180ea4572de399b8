import { Progress, type OpenThings } from './progress.js';

/** Which of the looks found that something had moved. */
const movedAt = (looks: readonly OpenThings[]): boolean[] => {
  const progress = new Progress();
  return looks.map((look) => progress.isMade(look));
};

describe('whether anything moves', () => {
  it('when a queue is drained and rows come and go with it, then every look finds that it moves', () => {
    const looks = [
      { rows: 0, undecided: 80_000, queued: 80_000 },
      { rows: 50, undecided: null, queued: 79_000 },
      { rows: 50, undecided: null, queued: 78_000 },
      { rows: 62, undecided: null, queued: 77_000 },
    ];
    expect(movedAt(looks)).toEqual([true, true, true, true]);
  });

  it('when one queue is drained as fast as the next one fills, then it moves', () => {
    const looks = [5, 4, 3].map((deductions) => ({ rows: 2, deductions, decisions: 5 - deductions }));
    expect(movedAt(looks)).toEqual([true, true, true]);
  });

  it('when orders are decided one by one while nothing else changes, then it moves', () => {
    const looks = [5, 4, 3].map((undecided) => ({ rows: 0, undecided, queued: 0 }));
    expect(movedAt(looks)).toEqual([true, true, true]);
  });

  it('when everything only goes up and down, then nothing moves', () => {
    const looks = [
      { rows: 0, undecided: 3, queued: 1 },
      { rows: 1, undecided: null, queued: 0 },
      { rows: 0, undecided: 3, queued: 1 },
      { rows: 1, undecided: null, queued: 0 },
      { rows: 0, undecided: 4, queued: 1 },
    ];
    expect(movedAt(looks)).toEqual([true, true, false, false, false]);
  });

  it('when nothing could be counted, then nothing moves', () => {
    const unknown = { rows: Infinity, undecided: null, queued: Infinity };
    expect(movedAt([unknown, unknown])).toEqual([false, false]);
  });
});
