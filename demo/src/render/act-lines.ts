import type { Act } from '../live/words.js';
import { wrap, type Paint } from './paint.js';

const SECOND = 12;

/** `second 14   The broker is killed. Orders are still taken …`, the rest under the words. */
export function actLines({ head, means }: Act, second: number, width: number, paint: Paint): string[] {
  const text = wrap(`${head} ${means}`, width - SECOND - 2);
  return text.map((line, index) => {
    const when = index === 0 ? `second ${String(Math.round(second))}` : '';
    const shown = index === 0 && line.startsWith(head) ? `${paint.bold(head)}${line.slice(head.length)}` : line;
    return `  ${paint.dim(when.padEnd(SECOND))}${shown}`;
  });
}
