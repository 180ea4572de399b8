import { parseArgs } from 'node:util';

export interface ProveFlags {
  /** Null: every sabotage. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly honest: boolean;
  /** Planted bugs at the same time; honest runs are alone. */
  readonly jobs: number;
  readonly list: boolean;
}

export const USAGE = `Usage: npm run prove -- [options]

Plants every bug of chaos/src/sabotage in the services, one after the other, and shows which invariant catches it; before
that, each scenario must be valid without a bug.

  --list        the planted bugs: what each takes away, where and by which invariants it must be caught
  --only NAME   one sabotage; may be given several times
  --no-honest   leaves out the runs without a bug
  --jobs N      so many bugs at a time, each in a world of its own (2)
  --seed N      decides the plans (1)

Ends with 0 when every bug was caught and every honest run was valid, else with 1.`;

/** @returns null when help is asked for */
export function readFlags(args: readonly string[]): ProveFlags | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      'no-honest': { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    only: values.only === undefined ? null : [...new Set(values.only)],
    seed: wholeNumber('--seed', values.seed, 0),
    honest: !values['no-honest'],
    jobs: wholeNumber('--jobs', values.jobs, 1),
    list: values.list,
  };
}

function wholeNumber(flag: string, text: string, min: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`${flag} must be a whole number from ${String(min)}, not '${text}'`);
}
