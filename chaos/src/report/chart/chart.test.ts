import { axisFor } from './axis.js';
import { chartFigure, type Chart } from './chart.js';
import type { Backdrop, Shade } from './backdrop.js';

const shade = (fromMs: number, label: string): Shade => ({ fromMs, toMs: fromMs + 500, id: label.slice(0, 2), label });
const backdrop = (windows: readonly Shade[] = []): Backdrop => ({ lengthMs: 10_000, windows, marks: [] });

const chart = (values: readonly (number | null)[]): Chart => ({
  ...{ title: 'T', about: 'a', unit: '', scale: 'linear', timesMs: values.map((_, index) => index * 1_000) },
  lines: [{ name: 'line', values }],
});

describe('an axis', () => {
  it.each([
    ['linear', 0, [0, 1]],
    ['linear', 7, [0, 2, 4, 6, 8]],
    ['linear', 1_234, [0, 500, 1_000, 1_500]],
    ['log', 0, [1, 10]],
    ['log', 120, [1, 10, 100, 1_000]],
  ] as const)('when it is %s up to %d, then its ticks are round and hold every value', (scale, highest, ticks) => {
    const axis = axisFor(scale, highest);
    expect(axis.ticks).toEqual(ticks);
    expect(axis.fraction(ticks[0])).toBe(0);
    expect(axis.fraction(axis.ticks.at(-1) ?? 0)).toBeCloseTo(1);
    expect(axis.fraction(highest)).toBeLessThanOrEqual(1);
  });
});

describe('a chart', () => {
  it('when a value is not known, then the line has a gap there', () => {
    const [d = ''] = /(?<= d=")M[^"]+(?="\/>\n)/.exec(chartFigure(chart([1, 2, null, 3, 1]), backdrop()).text) ?? [];
    expect(d.match(/[ML]/g)).toEqual(['M', 'L', 'M', 'L']);
  });

  const captions = (windows: readonly Shade[]): string[] =>
    [...chartFigure(chart([1]), backdrop(windows)).text.matchAll(/<text [^>]+>(f\d[^<]*)</g)].map(
      ([, text = '']) => text,
    );

  it('when faults stand apart, then each has its whole name', () => {
    const windows = [1, 4, 7].map((second) => shade(second * 1_000, `f${String(second)} kill relay-1`));
    expect(captions(windows)).toEqual(['f1 kill relay-1', 'f4 kill relay-1', 'f7 kill relay-1']);
  });

  it('when many faults overlap, then each has its shade, and captions are short or left out', () => {
    const windows = Array.from({ length: 7 }, (_, index) => shade(2_000 + index, `f${String(index)} kill relay-1`));
    expect(chartFigure(chart([1]), backdrop(windows)).text.match(/<g class="fault">/g)).toHaveLength(7);
    expect(captions(windows)).toEqual(['f0', 'f1', 'f2', 'f3']);
  });

  it('when the last of many begin near the edge, then no caption lies on another', () => {
    const windows = Array.from({ length: 60 }, (_, n) =>
      shade(1_000 + n * 150, `f${String(n % 10)} kill inventory-relay-1`),
    );
    const { text } = chartFigure(chart([1]), backdrop(windows));
    const boxes = [...text.matchAll(/<text x="([\d.]+)" y="(\d+)"( text-anchor="end")?>(f\d[^<]*)</g)].map(
      ([, x, y, isBefore, label]) => {
        const width = (label ?? '').length * 6;
        return { y, fromX: Number(x) - (isBefore ? width : 0), width };
      },
    );
    const onAnother = boxes.filter((one, index) =>
      boxes.slice(0, index).some(({ y, fromX, width }) => y === one.y && one.fromX < fromX + width),
    );
    expect(boxes.length).toBeGreaterThan(20);
    expect(onAnother).toEqual([]);
  });

  it('when nothing is known, then it is drawn all the same', () => {
    expect(chartFigure(chart([]), backdrop()).text).toContain('<svg');
    expect(chartFigure(chart([null]), backdrop()).text).not.toContain('NaN');
  });
});
