import { Turns } from './turns.js';

const TIMES = { maxItems: 100, maxWaitMs: 4, maxRuns: 4 };

it('DB-11: when the database holds up all transactions, then a request whose turn does not come is refused and never run', async () => {
  const run: number[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const turns = new Turns<number, string>({
    ...TIMES,
    turnWaitMs: 30,
    refusal: 'refused',
    run: async (items) => {
      run.push(...items);
      await held;
      return items.map(() => 'done');
    },
  });
  const first = Array.from({ length: 400 }, (_, item) => turns.take(item));
  const late = [turns.take(1_000), turns.take(1_001)];
  expect(await Promise.all(late)).toEqual(['refused', 'refused']);
  release();
  expect(new Set(await Promise.all(first))).toEqual(new Set(['done']));
  expect(await turns.take(2_000)).toBe('done');
  expect(run).toHaveLength(401);
  expect(run.includes(1_000)).toBe(false);
  expect(turns.size).toBe(0);
});

it('when a run throws, then its requests learn it', async () => {
  const turns = new Turns<number, string>({
    ...TIMES,
    turnWaitMs: 1_000,
    refusal: 'refused',
    run: () => Promise.reject(new Error('a bug')),
  });
  await expect(turns.take(1)).rejects.toThrow('a bug');
});
