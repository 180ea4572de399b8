import fc from 'fast-check';

import { createSnowflake, SNOWFLAKE_EPOCH_MS, snowflakeTimeMs } from './snowflake.js';

const START_MS = SNOWFLAKE_EPOCH_MS + 90_000_000_000;
const at = (workerId: number, nowMs: number) => ({ now: () => ({ workerId, nowMs }) });

const expectRising = (ids: readonly string[]): void => {
  const numbers = ids.map(BigInt);
  expect(numbers.every((id, index) => index === 0 || id > (numbers[index - 1] ?? 0n))).toBe(true);
};

it('DB-09: when 100 000 ids are made in a burst, then each is larger than the one before', () => {
  const newId = createSnowflake({ now: () => ({ workerId: 7, nowMs: Math.floor(START_MS + performance.now()) }) });
  const ids = Array.from({ length: 100_000 }, newId);
  expectRising(ids);
  expect(new Set(ids).size).toBe(100_000);
});

it('when the clock stands still, then ids borrow from the next milliseconds and stay different', () => {
  const newId = createSnowflake(at(1023, START_MS));
  const ids = Array.from({ length: 10_000 }, newId);
  expectRising(ids);
  expect(snowflakeTimeMs(ids[0] ?? '')).toBe(START_MS);
  expect(snowflakeTimeMs(ids.at(-1) ?? '')).toBe(START_MS + 2);
});

it('DB-07: when the clock jumps, forward, back, or is another worker’s, then ids go on rising', () => {
  const moments = fc.array(fc.tuple(fc.integer({ min: 0, max: 1023 }), fc.integer({ min: -600_000, max: 600_000 })), {
    minLength: 2,
    maxLength: 60,
  });
  fc.assert(
    fc.property(moments, (steps) => {
      const queue = [...steps];
      const newId = createSnowflake({
        now: () => {
          const [workerId, offsetMs] = queue.shift() ?? [0, 0];
          return { workerId, nowMs: START_MS + offsetMs };
        },
      });
      expectRising(steps.map(newId));
    }),
  );
});

it('when two workers make ids in the same milliseconds, then none are equal', () => {
  const one = createSnowflake(at(1, START_MS));
  const other = createSnowflake(at(2, START_MS));
  const ids = Array.from({ length: 20_000 }, (_, n) => (n % 2 === 0 ? one() : other()));
  expect(new Set(ids).size).toBe(20_000);
});

it('DB-09: when an id is made, then it fits a signed BIGINT until 2093 and is a decimal string', () => {
  const last = createSnowflake(at(1023, Date.UTC(2093, 0, 1)))();
  expect(last).toMatch(/^\d{19}$/);
  expect(BigInt(last) < 2n ** 63n).toBe(true);
});
