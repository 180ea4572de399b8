import { count } from '../words.js';
import { markup, type Markup } from '../markup.js';
import { linear, type Axis } from './axis.js';
import type { Backdrop, Shade } from './backdrop.js';

/** Where the drawing lies; one unit is about a pixel. Shades begin above it, so that two captions find room there. */
export const AREA = { width: 1_100, height: 200, left: 78, right: 1_088, head: 18, top: 46, bottom: 176 } as const;
const LANE_HEIGHT = 14;
const LANES = 4;
/** Those that lie above the drawing. */
const LANES_ABOVE = 2;
const CHARACTER_WIDTH = 6.8;

export const xOf = (atMs: number, { lengthMs }: Backdrop): number =>
  round(AREA.left + (atMs / lengthMs) * (AREA.right - AREA.left));

export const yOf = (value: number, axis: Axis): number =>
  round(AREA.bottom - axis.fraction(value) * (AREA.bottom - AREA.top));

const round = (value: number): number => Math.round(value * 10) / 10;

/** Fault windows behind everything, each with its caption where there is a free lane. */
export function shades(backdrop: Backdrop): Markup[] {
  const lanesEnd = Array.from({ length: LANES }, () => -Infinity);
  return backdrop.windows.map((shade, index) => {
    const x = xOf(shade.fromMs, backdrop);
    const text = captionOf(shade, roomFrom(x, index, backdrop, Math.min(...lanesEnd)));
    const fromX = runsOut(text, x) ? x - widthOf(text) : x;
    const lane = lanesEnd.findIndex((end) => end <= fromX);
    lanesEnd[lane] = fromX + widthOf(text);
    const width = Math.max(1.5, xOf(shade.toMs, backdrop) - x);
    return markup`<g class="fault"><title>${shade.label}</title><rect x="${x}" y="${AREA.head}" width="${width}" height="${AREA.bottom - AREA.head}"/>${lane < 0 ? null : caption(text, x, lane)}</g>`;
  });
}

/** The next but one begins in the same lane; the last ones have what is left to the edge, or behind them. */
function roomFrom(x: number, index: number, backdrop: Backdrop, takenToX: number): number {
  const next = backdrop.windows[index + LANES_ABOVE];
  return next === undefined ? Math.max(AREA.right - x, x - takenToX) : xOf(next.fromMs, backdrop) - x;
}

const captionOf = ({ id, label }: Shade, room: number): string => (widthOf(label) <= room ? label : id);
const widthOf = (text: string): number => text.length * CHARACTER_WIDTH + 8;

/** To the left of where the shade begins when it would run out of the drawing. */
function caption(text: string, x: number, lane: number): Markup {
  const y = AREA.head + 11 + lane * LANE_HEIGHT;
  const isBefore = runsOut(text, x);
  return markup`<text x="${isBefore ? x - 3 : x + 3}" y="${y}"${isBefore ? markup` text-anchor="end"` : null}>${text}</text>`;
}

const runsOut = (text: string, x: number): boolean => x + widthOf(text) > AREA.right;

export const marks = (backdrop: Backdrop): Markup[] =>
  backdrop.marks.map(({ atMs, label }) => {
    const x = xOf(atMs, backdrop);
    return markup`<g class="mark"><line x1="${x}" x2="${x}" y1="${AREA.head - 2}" y2="${AREA.bottom}"/><text x="${x}" y="${AREA.head - 6}" text-anchor="middle">${label}</text></g>`;
  });

export function axes(axis: Axis, unit: string, backdrop: Backdrop): Markup[] {
  const levels = axis.ticks.map((value) => {
    const y = yOf(value, axis);
    return markup`<line x1="${AREA.left}" x2="${AREA.right}" y1="${y}" y2="${y}"/><text x="${AREA.left - 6}" y="${y + 4}" text-anchor="end">${count(value)}${unit === 'ms' ? ' ms' : unit}</text>`;
  });
  const times = linear(backdrop.lengthMs / 1000, 12).ticks.filter((second) => second * 1000 <= backdrop.lengthMs);
  const moments = times.map(
    (second) =>
      markup`<text x="${xOf(second * 1000, backdrop)}" y="${AREA.bottom + 16}" text-anchor="middle">${second} s</text>`,
  );
  return [markup`<g class="axis">${levels}${moments}</g>`];
}
