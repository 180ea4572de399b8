import * as fc from 'fast-check';

import { minimize } from './minimize.js';

const ENOUGH = 10_000;
const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index);
const has = (part: readonly number[], ...wanted: number[]): boolean => wanted.every((one) => part.includes(one));

/** Any function of the part may say whether it fails; the empty part never does, the whole always. */
const failure = fc.func(fc.boolean());

describe('finding the smallest part that fails', () => {
  it('when one item is to blame, then it alone is left, after few questions', async () => {
    const found = await minimize(upTo(32), async (part) => has(part, 21), ENOUGH);
    expect(found).toEqual({ smallest: [21], asked: expect.any(Number), isMinimal: true });
    expect(found.asked).toBeLessThanOrEqual(12);
  });

  it('when several are to blame together, then they are left, in their order', async () => {
    const found = await minimize(upTo(20), async (part) => has(part, 3, 11, 19), ENOUGH);
    expect(found.smallest).toEqual([3, 11, 19]);
  });

  it('when it fails without any, then nothing is left, after one question', async () => {
    expect(await minimize(upTo(20), async () => true, ENOUGH)).toEqual({ smallest: [], asked: 1, isMinimal: true });
  });

  it('when questions run out, then the smallest so far is left, and it is said that there may be less', async () => {
    const found = await minimize(upTo(32), async (part) => has(part, 21), 3);
    expect(found).toMatchObject({ asked: 3, isMinimal: false });
    expect(found.smallest).toContain(21);
    expect(found.smallest.length).toBeLessThan(32);
    expect(await minimize([1, 2], async () => true, 0)).toEqual({ smallest: [1, 2], asked: 0, isMinimal: false });
  });

  it('when any function says what fails, then what is left fails, and no longer without any one of its items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), failure, async (length, says) => {
        const fails = (part: readonly number[]): boolean => part.length === length || (part.length > 0 && says(part));
        const { smallest, isMinimal } = await minimize(upTo(length), async (part) => fails(part), ENOUGH);
        expect(isMinimal).toBe(true);
        expect(fails(smallest)).toBe(true);
        for (const one of smallest) expect(fails(smallest.filter((other) => other !== one))).toBe(false);
      }),
    );
  });

  it('when a number of questions is given, then no more are asked, and what is left fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.nat(30), failure, async (length, most, says) => {
        let asked = 0;
        const fails = (part: readonly number[]): boolean => part.length === length || says(part);
        const found = await minimize(upTo(length), async (part) => (asked++, fails(part)), most);
        expect(asked).toBe(found.asked);
        expect(asked).toBeLessThanOrEqual(most);
        expect(fails(found.smallest)).toBe(true);
      }),
    );
  });
});
