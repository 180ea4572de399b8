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

Starts the whole system on this machine, places orders, and then counts in the databases whether one was lost or doubled.

  --rate N      orders a second (1000)
  --seconds N   of load, a third of it and at most 10 s to warm up (15)
  --seed N      which quantities come when (random)
  --stack NAME  native: this machine's own servers; containers: the images that DB_IMAGE and RABBITMQ_IMAGE name (native if it can be)

Ends with 0 when the books hold, 1 when they do not, 2 when it cannot tell.`;

const LONGEST_WARM_UP_S = 10;

/** @throws Error that says which flag is wrong; null when help is asked for */
export function readFlags(args: readonly string[], randomSeed: number): DemoFlags | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rate: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '15' },
      seed: { type: 'string', default: String(randomSeed) },
      stack: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const rate = wholeNumber('--rate', values.rate, 1, 100_000);
  const totalSeconds = wholeNumber('--seconds', values.seconds, 3, 3_600);
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
