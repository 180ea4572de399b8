import { FinalProof, sumOfNumbers, surelyNoticedMs, type Signs } from './final-proof.js';

const QUIET: Signs = {
  allUp: () => true,
  openTransactions: () => Promise.resolve(0),
  heldMessages: () => Promise.resolve(0),
};

/** Looks at 0, 5, 10 and 15 s, for a proof that takes 12 s. */
async function verdicts(signs: Partial<Signs>, nothingOpen: (at: number) => boolean = () => true): Promise<boolean[]> {
  const proof = new FinalProof({ ...QUIET, ...signs }, 12_000);
  const found: boolean[] = [];
  for (const at of [0, 5_000, 10_000, 15_000]) found.push(await proof.isFinal(nothingOpen(at), at));
  return found;
}

describe('the proof that nothing can move any more', () => {
  it('when nothing is open anywhere for long enough, then it is final, and not before', async () => {
    expect(await verdicts({})).toEqual([false, false, false, true]);
  });

  it.each([
    ['a row or a queue was open in between', {}, (at: number) => at !== 5_000],
    ['a process is down', { allUp: () => false }, undefined],
    ['a transaction is open', { openTransactions: () => Promise.resolve(1) }, undefined],
    ['a database cannot be asked', { openTransactions: () => Promise.resolve(Infinity) }, undefined],
    ['a delivery is not acknowledged', { heldMessages: () => Promise.resolve(1) }, undefined],
  ])('when %s, then it is not final', async (_what, signs, nothingOpen) => {
    expect(await verdicts(signs, nothingOpen)).toEqual([false, false, false, false]);
  });

  it('when the broker lists its queues, then their figures are added, and what is no figure is no proof', () => {
    expect(sumOfNumbers('0\t0\n3\t4\n')).toBe(7);
    expect(sumOfNumbers('0\t0\n')).toBe(0);
    expect(sumOfNumbers('')).toBe(Infinity);
    expect(sumOfNumbers('Error: unable to connect')).toBe(Infinity);
  });

  it('when the times are those by default, then it takes longer than the bound on progress, and changes nothing', () => {
    const world = (settings: Readonly<Record<string, string>>) =>
      ({ world: { settings } }) as Parameters<typeof surelyNoticedMs>[0];
    expect(surelyNoticedMs(world({}))).toBeGreaterThan(30_000);
    const short = {
      AMQP_HEARTBEAT_S: '2',
      DB_DEADLINE_MS: '4000',
      AMQP_DEADLINE_MS: '3000',
      ATTEMPT_TIMEOUT_MS: '2000',
    };
    expect(surelyNoticedMs(world(short))).toBe(13_000);
  });
});
