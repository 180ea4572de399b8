import { parseArgs } from 'node:util';

export interface ProveFlags {
  /** Null: every sabotage. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly honest: boolean;
}

export const USAGE = `Usage: npm run prove -- [options]

Plants every bug of chaos/src/sabotage in the services, one after the other, and shows which invariant catches it; before
that, each scenario must be valid without a bug.

  --only NAME   one sabotage; may be given several times
  --no-honest   leaves out the runs without a bug
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number, not '${values.seed}'`);
  return { only: values.only ?? null, seed, honest: !values['no-honest'] };
}
