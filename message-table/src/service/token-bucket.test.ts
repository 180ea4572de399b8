import { createTokenBucket, inBoth, type TokenBucket } from './token-bucket.js';

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
});
const clock = (): number => nowMs;

interface Taking {
  readonly atMs: number;
  readonly count: number;
}

/** A relay with more to send than it may, as the send task behaves: waits, takes, and a pass takes its time. */
function sendAll(
  bucket: TokenBucket,
  { untilMs, batch, passMs }: { untilMs: number; batch: number; passMs: number },
): Taking[] {
  const takings: Taking[] = [];
  while (nowMs < untilMs) {
    nowMs += bucket.waitMs(batch);
    takings.push({ atMs: nowMs, count: bucket.take(batch) });
    nowMs += passMs;
  }
  return takings;
}

const between = (takings: readonly Taking[], fromMs: number, toMs: number): number =>
  takings.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).reduce((sum, { count }) => sum + count, 0);

describe('a rate limit holds', () => {
  it.each([
    { rate: 100, batch: 200, passMs: 5 },
    { rate: 500, batch: 200, passMs: 20 },
    { rate: 1_000, batch: 200, passMs: 60 },
    { rate: 10_000, batch: 5_000, passMs: 90 },
  ])('when $rate/s are allowed and more wait, then no two seconds are more than 5 % off', ({ rate, batch, passMs }) => {
    const takings = sendAll(createTokenBucket(rate, clock), { untilMs: 20_000, batch, passMs });
    for (let fromMs = 0; fromMs <= 18_000; fromMs += 50) {
      const rows = between(takings, fromMs, fromMs + 2_000);
      expect(rows).toBeLessThanOrEqual(2 * rate * 1.05);
      expect(rows).toBeGreaterThanOrEqual(2 * rate * 0.95);
    }
  });

  it('when it was idle for long, then it does not catch up', () => {
    const bucket = createTokenBucket(500, clock);
    nowMs = 3_600_000;
    const takings = sendAll(bucket, { untilMs: nowMs + 2_000, batch: 200, passMs: 1 });
    expect(between(takings, 3_600_000, 3_602_000)).toBeLessThanOrEqual(1_050);
  });

  it('when what was taken is not used, then it is there for the next pass', () => {
    const bucket = createTokenBucket(500, clock);
    expect(bucket.take(50)).toBe(50);
    bucket.putBack(50);
    expect(bucket.take(50)).toBe(50);
  });
});

describe('a group counts against its own limit and that of the process', () => {
  it('when groups together may send more than the process, then the process keeps its limit and each gets a share', () => {
    const ofAll = createTokenBucket(500, clock);
    const groups = [400, 400, 400].map((rate) => inBoth(createTokenBucket(rate, clock), ofAll));
    const sent = groups.map(() => 0);
    for (; nowMs < 10_000; nowMs += 10) {
      const first = (nowMs / 10) % groups.length;
      for (let i = 0; i < groups.length; i += 1) {
        const index = (first + i) % groups.length;
        sent[index] = (sent[index] ?? 0) + (groups[index]?.take(200) ?? 0);
      }
    }
    const total = sent.reduce((sum, count) => sum + count, 0);
    expect(Math.abs(total / 10 - 500)).toBeLessThanOrEqual(25);
    for (const count of sent) expect(count / 10).toBeLessThanOrEqual(420);
  });

  it('when the process has no token left, then the group keeps its own', () => {
    const ofAll = createTokenBucket(100, clock);
    const own = createTokenBucket(1_000, clock);
    const both = inBoth(own, ofAll);
    expect(both.take(50)).toBe(10);
    expect(own.take(100)).toBe(90);
  });

  it('when either is empty, then the wait is that of the emptier', () => {
    const both = inBoth(createTokenBucket(10, clock), createTokenBucket(1_000, clock));
    both.take(1);
    expect(both.waitMs(1)).toBe(100);
  });
});
