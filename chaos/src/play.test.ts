import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { judgeAndReport } from './play.js';
import { aRun } from './testkit/facts-builder.js';
import { drop, withBooks } from './testkit/mutate.js';

describe('what is judged', () => {
  it('when nothing can be written beside the run, then its verdict stands, and it is said what is missing', async () => {
    const facts = withBooks(aRun(), ({ placed }) => ({ placed: drop(placed, 7) }));
    const played = await judgeAndReport({ facts, notes: ['a note'] }, join(tmpdir(), 'no-such-folder'), null);
    expect(played.verdict.verdict).toBe('invalid');
    expect(JSON.parse(played.json)).toMatchObject({ verdict: 'invalid' });
    expect(played.notes).toEqual([
      'a note',
      expect.stringContaining('verdict.json could not be written: Error: ENOENT'),
    ]);
    expect(played.report).toEqual({ error: expect.stringContaining('ENOENT') });
  });
});
