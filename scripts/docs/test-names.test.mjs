import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowsOf, caseIdsOf, namesIn } from './test-names.mjs';

test('when a test names a case and an arrow, then both are found', () => {
  const [{ name, line }] = namesIn(
    `\n  it('RLY-02, DB-07: when it\\'s late, then [SENDING→PENDING lease over]', async () => {`,
  );
  assert.equal(line, 2);
  assert.deepEqual(caseIdsOf(name), ['RLY-02', 'DB-07']);
  assert.deepEqual(arrowsOf(name), ['SENDING→PENDING lease over']);
});

test('when a string is no test name, then it is left out', () => {
  assert.deepEqual(namesIn(`const a = 'RLY-01'; const b = 'nothing when';`), []);
});
