import { LONGEST_PAUSE_MS } from '../outcome.js';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['2147484', LONGEST_PAUSE_MS],
    ['9999999999', LONGEST_PAUSE_MS],
    ['9'.repeat(400), LONGEST_PAUSE_MS],
    ['Wed, 21 Oct 2099 07:28:00 GMT', LONGEST_PAUSE_MS],
    ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['Mon, 30 Nov 2015 12:00:30 GMT', 0],
  ])('WH-02: when it is %s, then the pause is %d ms', (text, ms) => {
    expect(retryAfterMs(text, NOW)).toBe(ms);
  });

  it.each(['-5', '1.5', 'soon', '', '1e3', '0x10', 'Infinity', '2099-10-21', '5, 6', 'Wed, 31 Feb 2099 07:28:00 GMT'])(
    "WH-02: when it is '%s', then the usual back-off holds",
    (text) => {
      expect(retryAfterMs(text, NOW)).toBeNull();
    },
  );

  it('WH-02: when there are several headers, then the longest that can be read holds', () => {
    expect(retryAfterMs(['5', 'soon', '20'], NOW)).toBe(20_000);
    expect(retryAfterMs(['soon', '-1'], NOW)).toBeNull();
    expect(retryAfterMs(['5', '99999999'], NOW)).toBe(LONGEST_PAUSE_MS);
  });

  it('when there is none, then the usual back-off holds', () => {
    expect(retryAfterMs(undefined, NOW)).toBeNull();
    expect(retryAfterMs([], NOW)).toBeNull();
  });
});
