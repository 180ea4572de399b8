import { constantArrivals, stagedArrivals, warmedUpArrivals } from './arrivals.js';

describe('arrivals', () => {
  it('when the rate is constant, then orders are due at even distances', () => {
    const arrivals = constantArrivals(500, 2);
    expect(arrivals.count).toBe(1000);
    expect(arrivals.dueMs(0)).toBe(0);
    expect(arrivals.dueMs(250)).toBe(500);
    expect(arrivals.countBefore(0.5)).toBe(250);
  });

  it('when a stage keeps the rate, then it is the same as a constant load', () => {
    const staged = stagedArrivals(500, [{ toRate: 500, seconds: 2 }]);
    expect(staged.count).toBe(1000);
    for (const index of [0, 1, 333, 999])
      expect(staged.dueMs(index)).toBeCloseTo(constantArrivals(500, 2).dueMs(index));
  });

  it('when the rate rises evenly from nothing, then half of the orders are due in the last 30 % of the time', () => {
    const ramp = stagedArrivals(0, [{ toRate: 100, seconds: 10 }]);
    expect(ramp.count).toBe(500);
    expect(ramp.dueMs(0)).toBe(0);
    expect(ramp.dueMs(250)).toBeCloseTo(10_000 * Math.SQRT1_2);
    expect(ramp.countBefore(5)).toBe(125);
  });

  it('when stages follow one another, then orders never come due earlier than those before and end with the load', () => {
    const spike = stagedArrivals(20, [
      { toRate: 20, seconds: 2 },
      { toRate: 200, seconds: 1 },
      { toRate: 200, seconds: 1 },
      { toRate: 20, seconds: 1 },
    ]);
    expect(spike.count).toBe(40 + 110 + 200 + 110);
    const times = Array.from({ length: spike.count }, (_, index) => spike.dueMs(index));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(5_000);
    expect(times.at(-1)).toBeGreaterThan(4_900);
    expect(spike.countBefore(3)).toBe(150);
    expect(spike.countBefore(60)).toBe(spike.count);
    expect(times.filter((ms) => ms < 3_000)).toHaveLength(150);
  });

  it('when a load warms up, then half of a warm-up is due in it, the rest at the full rate, and the first at once', () => {
    const load = warmedUpArrivals(1_000, 10, 30);
    expect(load.count).toBe(35_000);
    expect(load.countBefore(10)).toBe(5_000);
    expect(load.dueMs(0)).toBe(0);
    expect(load.dueMs(5_000)).toBeCloseTo(10_000);
    expect(load.dueMs(34_999)).toBeCloseTo(39_999);
    expect(load.dueMs(1_250)).toBeCloseTo(5_000);
  });

  it('when there is nothing to warm up, or nothing after it, then the load is the other part alone', () => {
    expect(warmedUpArrivals(100, 0, 2).dueMs(50)).toBe(500);
    expect(warmedUpArrivals(100, 2, 0).count).toBe(100);
  });

  it('when the load ends at rate 0, then its last order is due before the end', () => {
    const fade = stagedArrivals(100, [{ toRate: 0, seconds: 2 }]);
    expect(fade.count).toBe(100);
    expect(fade.dueMs(99)).toBeLessThanOrEqual(2_000);
  });
});
