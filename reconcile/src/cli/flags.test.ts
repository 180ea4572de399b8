import { readFlags } from './flags.js';

describe('the flags of reconcile', () => {
  it('when none is given, then a minute is in flight, it looks a month back and repairs nothing', () => {
    expect(readFlags([])).toEqual({ json: false, inFlightMs: 60_000, days: 30, replay: false, why: null, who: null });
  });

  it('when it is to repair, then the reason and the name are as long as their columns at most', () => {
    expect(readFlags(['--replay', '--why', ' queue deleted ', '--who', 'ann'])).toMatchObject({
      ...{ replay: true, why: 'queue deleted', who: 'ann' },
    });
    expect(() => readFlags(['--why', ' '])).toThrow('--why must be a text of 1 to 500 characters');
    expect(() => readFlags(['--who', 'x'.repeat(101)])).toThrow('--who must be a text of 1 to 100 characters');
  });

  it('when a number is none, then the flag is named', () => {
    expect(() => readFlags(['--age', ''])).toThrow('--age must be a whole number from 0 to 86400');
    expect(() => readFlags(['--days', '0'])).toThrow('--days must be a whole number from 1');
  });
});
