import { ParkedCrowd } from './parked-crowd.js';

let nowMs: number;
let crowd: ParkedCrowd;

beforeEach(() => {
  nowMs = 0;
  crowd = new ParkedCrowd(() => nowMs);
});

/** Rows that come back whenever their time is over, for so long. @returns how often one was written in the last half */
function park(rows: number, forMs: number): number {
  const dueMs = Array.from({ length: rows }, () => nowMs);
  const [halfMs, endMs] = [nowMs + forMs / 2, nowMs + forMs];
  let written = 0;
  for (; nowMs < endMs; nowMs += 2_000) {
    dueMs.forEach((due, row) => {
      if (due > nowMs) return;
      dueMs[row] = nowMs + crowd.nextMs();
      if (nowMs >= halfMs) written += 1;
    });
  }
  return written;
}

describe('rows that are put off until something brings them forward', () => {
  it('when they are few, then each is put off for ten seconds', () => {
    expect(park(500, 600_000)).toBe(500 * 30);
    expect(crowd.nextMs()).toBe(10_000);
  });

  it('when they are many, then no more than a thousand are written in a second', () => {
    const forMs = 1_200_000;
    expect(park(30_000, forMs) / (forMs / 2_000)).toBeLessThanOrEqual(1_100);
  });

  it('when the crowd has gone, then those that come later are put off for ten seconds again', () => {
    park(30_000, 600_000);
    nowMs += 300_000;
    crowd.nextMs();
    nowMs += 300_000;
    expect(crowd.nextMs()).toBe(10_000);
  });
});
