import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { missingInTranslation } from './translation.mjs';

const root = join(import.meta.dirname, '..', '..');
const textOf = (file) => readFileSync(join(root, file), 'utf8');
const english = textOf('README.md');
const chinese = textOf('README.zh-CN.md');

describe('the Chinese README says the same', () => {
  it('when one names a command, a test or a folder, then the other does', () => {
    assert.deepEqual(missingInTranslation(english, chinese), []);
    assert.deepEqual(missingInTranslation(chinese, english), []);
  });

  it('when the number of planted bugs is told, then both tell the same', () => {
    const planted = (text) => /npm run prove`.*?(\d+)/.exec(text)?.[1];
    assert.notEqual(planted(english), undefined);
    assert.equal(planted(chinese), planted(english));
  });

  it('when a row is missing, then its command is named', () => {
    assert.deepEqual(missingInTranslation('| `a` | x |\n| `b` | [y](z.md) |\n', '| `b` | [y](z.md) |\n'), ['`a`']);
  });
});
