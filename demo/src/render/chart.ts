const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

export interface Point {
  readonly second: number;
  readonly count: number;
}

/**
 * A count over time as bars of block letters, top line first. A column shows the highest of its time, at least a thin
 * line; where nobody looked it is as it was before, and what is still to come is empty.
 */
export function barChart(
  points: readonly Point[],
  { width, height, totalSeconds }: { readonly width: number; readonly height: number; readonly totalSeconds: number },
): string[] {
  const columns = Array.from({ length: width }, () => -1);
  for (const { second, count } of points) {
    const column = Math.min(width - 1, Math.floor((second / totalSeconds) * width));
    columns[column] = Math.max(columns[column] ?? -1, count);
  }
  const last = columns.findLastIndex((count) => count >= 0);
  for (let at = 1; at < last; at += 1) if ((columns[at] ?? -1) < 0) columns[at] = columns[at - 1] ?? -1;
  const highest = Math.max(1, ...columns);
  return Array.from({ length: height }, (_, line) => {
    const floor = height - 1 - line;
    const least = floor === 0 ? 1 / 8 : 0;
    return columns.map((count) => block(count < 0 ? 0 : Math.max(least, (count / highest) * height - floor))).join('');
  });
}

/** @param part how full a letter is, 0 … 1 */
const block = (part: number): string => EIGHTHS[Math.round(Math.min(1, Math.max(0, part)) * 8)] ?? ' ';
