import { Refusals } from './refusals.js';

let nowMs = 0;
let refusals: Refusals;
beforeEach(() => {
  nowMs = 0;
  refusals = new Refusals(() => nowMs);
});

describe('A destination that only refuses is noticed', () => {
  it('when one was nacked for so long while others were confirmed, then there is one', () => {
    refusals.nacked('full');
    nowMs = 1_000;
    refusals.nacked('full');
    refusals.confirmed('other');
    expect(refusals.anyFor(1_001)).toBe(false);
    expect(refusals.anyFor(1_000)).toBe(true);
  });

  it('when it took one meanwhile, then it is counted anew', () => {
    refusals.nacked('full');
    nowMs = 1_000;
    refusals.confirmed('full');
    refusals.nacked('full');
    expect(refusals.anyFor(1)).toBe(false);
  });
});
