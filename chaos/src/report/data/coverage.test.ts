import { aRun } from '../../testkit/facts-builder.js';
import { withHistory } from '../../testkit/mutate.js';
import { coverageOf } from './coverage.js';

describe('the coverage matrix', () => {
  it('when a fault met a step, then the cell is hit; when a required one was not, then it stands there empty', () => {
    const facts = aRun({ requiredCells: ['after-publish-before-confirm × kill', 'after-commit-before-ack × pause'] });
    expect(coverageOf(facts)).toEqual({
      kinds: ['kill', 'pause'],
      rows: [
        {
          step: 'after-commit-before-ack',
          cells: [
            { isHit: false, isRequired: false },
            { isHit: false, isRequired: true },
          ],
        },
        {
          step: 'after-publish-before-confirm',
          cells: [
            { isHit: true, isRequired: true },
            { isHit: false, isRequired: false },
          ],
        },
      ],
    });
  });

  it('when no process reported a step, then it is empty', () => {
    const facts = withHistory(aRun({ requiredCells: [] }), (record) => (record.kind === 'step' ? null : record));
    expect(coverageOf(facts).rows).toEqual([]);
  });
});
