import type { DemoFlags } from '../flags.js';
import { count } from './format.js';
import { wrap } from './paint.js';
import type { Screen } from './screen.js';

/** What is about to happen, in a sentence or two. */
export function introduction({ rate, warmUpSeconds, seconds }: DemoFlags, { paint, width }: Screen): string[] {
  const text =
    `Placing ${count(rate)} orders a second for ${String(warmUpSeconds + seconds)} seconds, the first ${String(warmUpSeconds)} to warm up. ` +
    'Each order and its message are stored in one transaction; the message takes the stock in the other database, ' +
    'and its answer confirms the order. Then the books say whether one was lost or doubled.';
  return ['', ...wrap(text, width - 4).map((line) => paint.dim(`  ${line}`)), ''];
}
