import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brokenLinks } from './links.mjs';

const files = { 'a.md': '# One\n\n## Lease & sweep\n\n## 本地消息表\n\n# One\n', folder: '' };
const broken = (document) => brokenLinks(document, (path) => files[path]);

describe('relative links lead somewhere', () => {
  it('when the file is there, then the link is fine', () => {
    assert.deepEqual(broken('[a](a.md) ![b](folder) <https://example.org>\n[r]: a.md\n'), []);
  });

  it('when the file is not there, then the link is named', () => {
    assert.deepEqual(broken('[a](b.md) ![c](c.png "title")\n[r]: d.md\n'), ['b.md', 'c.png', 'd.md']);
  });

  it('when a heading is named, then the document must have it', () => {
    const good = '[1](a.md#lease--sweep) [2](a.md#one-1) [3](a.md#%E6%9C%AC%E5%9C%B0%E6%B6%88%E6%81%AF%E8%A1%A8)';
    assert.deepEqual(broken(good), []);
    assert.deepEqual(broken('# Here\n[1](a.md#two) [2](#here) [3](#there)'), ['a.md#two', '#there']);
  });

  it('when a link has a scheme or stands in code, then it is left alone', () => {
    assert.deepEqual(broken('[a](https://example.org/x) `[b](c.md)`\n```md\n[d](e.md)\n```\n'), []);
  });
});
