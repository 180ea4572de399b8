import { parseArgs } from 'node:util';

import { readBackend, type StackOptions } from '@counterfoil/stack';

export interface DemoFlags {
  /** Orders a second. */
  readonly rate: number;
  readonly warmUpSeconds: number;
  /** Of load after the warm-up. */
  readonly seconds: number;
  readonly seed: number;
  /** Where the servers run. */
  readonly stack: Pick<StackOptions, 'backend'>;
}

export const USAGE = `Usage: npm run demo [-- options]

Starts the whole system on this machine, places orders, kills the broker and a relay meanwhile, lets three relays work
off what waited, and then counts in the databases whether an order was lost or deducted twice.

  --rate N      orders a second (1000)
  --seconds N   of load, at least 15; the first third of it, at most 10 s, to warm up (65)
  --seed N      which quantities come when (random)
  --stack NAME  native: this machine's own servers; containers: the images that DB_IMAGE and BROKER_IMAGE name (native if it can be)

Keeps its report under runs/. Ends with 0 when every invariant holds, 1 when one does not, 2 when it cannot tell.`;

const LONGEST_WARM_UP_S = 10;

/** @throws Error that says which flag is wrong; null when help is asked for */
export function readFlags(args: readonly string[], randomSeed: number): DemoFlags | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '65' },
      seed: { type: 'string', default: String(randomSeed) },
      stack: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const rate = wholeNumber('--rate', values.rate, 20, 100_000);
  const totalSeconds = wholeNumber('--seconds', values.seconds, 15, 3_600);
  const warmUpSeconds = Math.min(LONGEST_WARM_UP_S, Math.round(totalSeconds / 3));
  const seed = wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1);
  return { rate, warmUpSeconds, seconds: totalSeconds - warmUpSeconds, seed, stack: readStack(values.stack) };
}

/** For {@link startStack}. @throws Error when there is no such backend */
export function readStack(word: string | undefined): Pick<StackOptions, 'backend'> {
  const backend = readBackend(word);
  return backend === undefined ? {} : { backend };
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${flag} must be a whole number from ${String(min)} to ${String(max)}, not '${text}'`);
}
