import { randomFrom } from './random.js';

const SEEDS = Array.from({ length: 10_000 }, (_, index) => `1/p/1/upstream/${index}`);

describe('random numbers repeat by their text', () => {
  it('when the text is the same, then so are the numbers', () => {
    const [one, other] = [randomFrom('a'), randomFrom('a')];
    expect([one(), one(), one()]).toEqual([other(), other(), other()]);
  });

  it.each([0.1, 0.5, 0.9])('when neighbouring connections roll, then a share of %d is hit', (share) => {
    const hits = SEEDS.filter((seed) => randomFrom(seed)() < share).length / SEEDS.length;
    expect(Math.abs(hits - share)).toBeLessThan(0.02);
  });

  it('when one connection is hit, then the next is hit no more often for it', () => {
    const hits = SEEDS.map((seed) => randomFrom(seed)() < 0.5);
    const both = hits.filter((isHit, index) => isHit && hits[index + 1] === true).length / SEEDS.length;
    expect(Math.abs(both - 0.25)).toBeLessThan(0.02);
  });
});
