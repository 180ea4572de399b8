import type { DemoFlags } from '../flags.js';
import { count } from './format.js';
import { wrap, type Paint } from './paint.js';

/** What is about to happen, in a few sentences. */
export function introduction({ rate, warmUpSeconds, seconds }: DemoFlags, width: number, paint: Paint): string[] {
  const text =
    `Up to ${count(rate)} orders a second, for ${String(warmUpSeconds + seconds)} seconds. Each order and its message are ` +
    'stored in one transaction; the message takes the stock in the other database, and its answer confirms the ' +
    'order. Meanwhile the broker is killed, and a relay at work. In the end the books say whether an order was lost ' +
    'or deducted twice.';
  return ['', ...wrap(text, width - 4).map((line) => paint.dim(`  ${line}`)), ''];
}
