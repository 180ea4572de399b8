import { count, seconds } from '../words.js';
import { markup, type Markup } from '../markup.js';
import { axisFor, type Axis, type Scale } from './axis.js';
import type { Backdrop } from './backdrop.js';
import { AREA, axes, marks, shades, xOf, yOf } from './frame.js';

export interface Chart {
  readonly title: string;
  readonly about: string;
  readonly unit: string;
  readonly scale: Scale;
  /** Of the run's clock, rising; one for each value of a line. */
  readonly timesMs: readonly number[];
  readonly lines: readonly Line[];
}

export interface Line {
  readonly name: string;
  /** null: not known at that time, a gap. */
  readonly values: readonly (number | null)[];
}

/**
 * A chart as SVG that needs no script: colours follow the reader's light or dark, and the values under the pointer are
 * texts that a style shows.
 */
export function chartFigure(chart: Chart, backdrop: Backdrop): Markup {
  const axis = axisFor(chart.scale, highestOf(chart));
  const lines = chart.lines.map(({ values }, at) => path(values, at, chart, { axis, backdrop }));
  const { width, height } = AREA;
  return markup`<figure>
<figcaption><b>${chart.title}</b> <span class="about">${chart.about}</span> <span class="legend">${legend(chart)}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${spoken(chart)}">
${shades(backdrop)}${axes(axis, chart.unit, backdrop)}${marks(backdrop)}${lines}
${readouts(chart, backdrop)}</svg></figure>
`;
}

interface Place {
  readonly axis: Axis;
  readonly backdrop: Backdrop;
}

/** Lines of the same look come again after six; each has a dash of its own, for those who do not tell colours apart. */
const lookOf = (at: number): string => `line l${String(1 + (at % 6))}`;

function path(values: Line['values'], at: number, { timesMs }: Chart, { axis, backdrop }: Place): Markup {
  let pen = 'M';
  let d = '';
  values.forEach((value, index) => {
    if (value !== null) d += `${pen}${String(xOf(timesMs[index] ?? 0, backdrop))} ${String(yOf(value, axis))}`;
    // A value between two gaps is a dot.
    if (value !== null && pen === 'M') d += 'h.1';
    pen = value === null ? 'M' : 'L';
  });
  return markup`<path class="${lookOf(at)}" d="${d}"/>`;
}

const legend = ({ lines }: Chart): Markup[] =>
  lines.map(
    ({ name }, at) =>
      markup`<span><svg viewBox="0 0 26 8" aria-hidden="true"><path class="${lookOf(at)}" d="M1 4H25"/></svg>${name}</span>`,
  );

/** A strip for each time, which shows its values while the pointer is on it. */
function readouts({ timesMs, lines, unit }: Chart, backdrop: Backdrop): Markup[] {
  const strips = timesMs.map((atMs) => xOf(atMs, backdrop));
  return strips.map((x, index) => {
    const from = index === 0 ? AREA.left : (x + (strips[index - 1] ?? x)) / 2;
    const width = Math.max(0.5, ((strips[index + 1] ?? x) + x) / 2 - from);
    const values = lines.map(({ name, values: all }) => `${name} ${valueText(all[index] ?? null, unit)}`);
    const text = [seconds(timesMs[index] ?? 0), ...values].join('   ');
    return markup`<g class="at"><rect x="${from.toFixed(1)}" y="${AREA.top}" width="${width.toFixed(1)}" height="${AREA.bottom - AREA.top}"/><text x="${AREA.right}" y="12" text-anchor="end">${text}</text></g>`;
  });
}

const valueText = (value: number | null, unit: string): string =>
  value === null ? '–' : `${count(Math.round(value * 10) / 10)}${unit === 'ms' ? ' ms' : unit}`;

const highestOf = ({ lines }: Chart): number =>
  lines.reduce((all, { values }) => values.reduce<number>((high, value) => Math.max(high, value ?? 0), all), 0);

const spoken = ({ title, about, lines, unit }: Chart): string =>
  `${title}, ${about}. Highest: ${lines.map(({ name, values }) => `${name} ${valueText(Math.max(0, ...values.map((value) => value ?? 0)), unit)}`).join(', ')}`;
