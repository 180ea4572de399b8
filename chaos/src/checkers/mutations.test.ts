import * as fc from 'fast-check';

import { aRun } from '../testkit/facts-builder.js';
import { historyMutations } from '../testkit/history-mutations.js';
import { mapMutations } from '../testkit/map-mutations.js';
import { outcome } from '../testkit/mutate.js';
import { bookMutations } from '../testkit/mutations.js';

const run = aRun();
const ALL = [...bookMutations(run), ...mapMutations(run), ...historyMutations(run)];

describe('a run that went well, with one thing told wrongly', () => {
  it('when something was dropped, doubled, flipped or moved, then the run is never valid, unless it says nothing', () => {
    const any = fc.constantFrom(...ALL.filter(({ neutral }) => neutral === null));
    fc.assert(
      fc.property(any, ({ facts }) => outcome(facts).verdict !== 'valid'),
      { numRuns: 600 },
    );
  });

  it('when what was moved or left out says nothing, then the run stays valid', () => {
    const any = fc.constantFrom(...ALL.filter(({ neutral }) => neutral !== null));
    fc.assert(
      fc.property(any, ({ facts }) => outcome(facts).verdict === 'valid'),
      { numRuns: 200 },
    );
  });
});
