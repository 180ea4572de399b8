import { waitUntilFinal } from './wait-until-final.js';

function waiting(counts: readonly (number | Error)[]): Promise<number | null> {
  let look = 0;
  return waitUntilFinal({
    countOpen: () => {
      const count = counts[Math.min(look, counts.length - 1)] ?? 0;
      return count instanceof Error ? Promise.reject(count) : Promise.resolve(count);
    },
    stuckAfterMs: 3,
    nowMs: () => look,
    rest: () => Promise.resolve((look += 1)),
  });
}

describe('waiting until all is final', () => {
  it('when there is progress, then it waits longer than the limit', async () => {
    expect(await waiting([9, 9, 8, 8, 8, 7, 7, 6, 5, 5, 5, 0])).toBe(0);
  });

  it('when nothing becomes final, then it says how much is open', async () => {
    expect(await waiting([9, 8, 8])).toBe(8);
  });

  it('when a look fails, then it looks again; when all fail, then it cannot tell', async () => {
    expect(await waiting([9, new Error('away'), 0])).toBe(0);
    expect(await waiting([new Error('away')])).toBeNull();
  });
});
