import type { Verdict } from '../verdict.js';

/** What one run said, in its verdict's own line. */
export interface Said {
  readonly verdict: Verdict['verdict'];
  readonly line: string;
}

/**
 * A run that cannot tell is made again, at most `again` times: the machine may have been busy with something else. An
 * invalid one never is, whatever it would say the next time.
 *
 * @returns every run; the last one counts
 */
export async function runUntilTold<Run extends Said>(again: number, run: () => Promise<Run>): Promise<[Run, ...Run[]]> {
  const first = await run();
  const all: [Run, ...Run[]] = [first];
  for (let last = first; last.verdict === 'unknown' && all.length <= again;) {
    last = await run();
    all.push(last);
  }
  return all;
}

/** `UNKNOWN  baseline  runs/…  again: VALID  baseline  runs/…` */
export const allSaid = (runs: readonly Said[]): string => runs.map(({ line }) => line).join('  again: ');
