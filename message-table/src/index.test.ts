import * as arrows from './arrows.js';
import * as all from './index.js';
import * as rows from './rows.js';

const names = Object.keys(all);

describe('what the package exports', () => {
  it('when one sends or consumes, then nothing is in the way that only tools and SQL of one’s own need', () => {
    for (const name of [...Object.keys(rows), ...Object.keys(arrows), 'reasonOf', 'toError'])
      expect(names).not.toContain(name);
  });

  it('when one sends or consumes, then what the README takes is there', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'createMessageTable',
        'createQueueConsuming',
        'createRelay',
        'migrate',
        'runInTransaction',
      ]),
    );
  });
});
