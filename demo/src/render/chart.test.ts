import { barChart } from './chart.js';

const SIZE = { width: 4, height: 2, totalSeconds: 4 };

describe('the chart', () => {
  it('when a count rises and falls, then the bars do', () => {
    const points = [0, 8, 16, 4].map((count, second) => ({ second, count }));
    expect(barChart(points, SIZE)).toEqual(['  █ ', '▁██▄']);
  });

  it('when nobody has looked yet, then there is nothing', () => {
    expect(barChart([{ second: 0, count: 0 }], SIZE)).toEqual(['    ', '▁   ']);
  });

  it('when several looks share a column, then the highest is shown, and a gap is filled with what was before', () => {
    const points = [
      { second: 0.1, count: 2 },
      { second: 0.9, count: 1 },
      { second: 9, count: 2 },
    ];
    expect(barChart(points, { ...SIZE, height: 1 })).toEqual(['████']);
  });
});
