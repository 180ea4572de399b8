import { planPartitions } from './partitions.js';

describe('which days have a partition', () => {
  it('when there is none yet, then today and the seven days ahead get one', () => {
    const { add, drop } = planPartitions([], '2026-02-26', 30);
    expect(add).toEqual([
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
      '2026-03-05',
    ]);
    expect(drop).toEqual([]);
  });

  it('when all are there, then nothing is done; a day later one is made', () => {
    const days = planPartitions([], '2026-02-26', 30).add;
    expect(planPartitions(days, '2026-02-26', 30)).toEqual({ add: [], drop: [] });
    expect(planPartitions(days, '2026-02-27', 30)).toEqual({ add: ['2026-03-06'], drop: [] });
  });

  it('when a day is older than what is kept, then it is dropped, and the oldest kept day is not', () => {
    expect(planPartitions(['2026-01-01', '2026-01-02', '2026-02-28'], '2026-01-04', 2)).toEqual({
      add: [],
      drop: ['2026-01-01'],
    });
  });

  it('when nobody looked for weeks, then the days to come are made and none in between', () => {
    expect(planPartitions(['2026-01-08'], '2026-02-01', 60).add[0]).toBe('2026-02-01');
  });
});
