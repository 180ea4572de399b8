import type { Verdict } from '../verdict.js';
import { allSaid, runUntilTold } from './again.js';

type Word = Verdict['verdict'];

async function runsOf(again: number, words: readonly Word[]): Promise<Word[]> {
  const left = [...words];
  const runs = await runUntilTold(again, async () => {
    const verdict = left.shift() ?? 'valid';
    return { verdict, line: verdict.toUpperCase() };
  });
  return runs.map(({ verdict }) => verdict);
}

describe('--again', () => {
  it.each<[string, number, Word[], Word[]]>([
    ['cannot tell and may not be made again', 0, ['unknown', 'valid'], ['unknown']],
    ['cannot tell', 1, ['unknown', 'valid'], ['unknown', 'valid']],
    ['cannot tell, over and over', 2, ['unknown', 'unknown', 'unknown', 'valid'], ['unknown', 'unknown', 'unknown']],
    ['is valid', 3, ['valid', 'invalid'], ['valid']],
    ['is invalid', 3, ['invalid', 'valid'], ['invalid']],
    ['is invalid the second time', 3, ['unknown', 'invalid', 'valid'], ['unknown', 'invalid']],
  ])('when a run %s, then it is made so often and no more', async (_what, again, words, expected) => {
    expect(await runsOf(again, words)).toEqual(expected);
  });

  it('when a run was made again, then every verdict is told', () => {
    const said = [
      { verdict: 'unknown', line: 'UNKNOWN  baseline  runs/1' },
      { verdict: 'valid', line: 'VALID  baseline  runs/2' },
    ] as const;
    expect(allSaid(said)).toBe('UNKNOWN  baseline  runs/1  again: VALID  baseline  runs/2');
  });
});
