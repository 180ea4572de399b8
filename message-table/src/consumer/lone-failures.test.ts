import fc from 'fast-check';

import { LoneFailures } from './lone-failures.js';

describe('how a message that always meets trouble is told from an outage', () => {
  it('when a message fails alone for the third time, then it is enough, and it begins anew afterwards', () => {
    const failures = new LoneFailures(() => 0);
    expect([1, 2, 3].map(() => failures.failedAgain('m'))).toEqual([false, false, true]);
    failures.putAside('m');
    failures.tookEffect();
    expect([1, 2, 3].map(() => failures.failedAgain('m'))).toEqual([false, false, true]);
  });

  it('when one was put aside and nothing took effect since, then the next one waits half a minute', () => {
    let nowMs = 0;
    const failures = new LoneFailures(() => nowMs);
    failures.putAside('first');
    expect([1, 2, 3, 4].map(() => failures.failedAgain('second'))).toEqual([false, false, false, false]);
    nowMs = 29_999;
    expect(failures.failedAgain('second')).toBe(false);
    nowMs = 30_000;
    expect(failures.failedAgain('second')).toBe(true);
  });

  it('when something takes effect after one was put aside, then the next one need not wait', () => {
    const failures = new LoneFailures(() => 0);
    failures.putAside('first');
    failures.tookEffect();
    expect([1, 2, 3].map(() => failures.failedAgain('second'))).toEqual([false, false, true]);
  });

  it('when thousands fail in an outage, then what is remembered stays small, and a new one is told all the same', () => {
    const failures = new LoneFailures(() => 0);
    const keys = Array.from({ length: 5 * 1_500 }, (_, index) => `m${String(index % 1_500)}`);
    expect(keys.filter((key) => failures.failedAgain(key))).toEqual([]);
    expect([1, 2, 3].map(() => failures.failedAgain('late'))).toEqual([false, false, true]);
  });

  it('whatever happens, then nobody is put aside before the third failure, and without effects at most one in half a minute', () => {
    const step = fc.oneof(
      fc.record({ key: fc.constantFrom('a', 'b', 'c'), afterMs: fc.integer({ min: 0, max: 20_000 }) }),
      fc.constant('took effect' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let nowMs = 0;
        let lastAsideMs = -Infinity;
        const failed = new Map<string, number>();
        const failures = new LoneFailures(() => nowMs);
        for (const one of steps) {
          if (one === 'took effect') {
            failures.tookEffect();
            lastAsideMs = -Infinity;
            continue;
          }
          nowMs += one.afterMs;
          failed.set(one.key, (failed.get(one.key) ?? 0) + 1);
          const expected = (failed.get(one.key) ?? 0) >= 3 && nowMs - lastAsideMs >= 30_000;
          expect(failures.failedAgain(one.key)).toBe(expected);
          if (!expected) continue;
          failures.putAside(one.key);
          failed.delete(one.key);
          lastAsideMs = nowMs;
        }
      }),
    );
  });
});
