import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filled, regionOf } from './snippets.mjs';

const source = [
  'class Store {',
  '  // #region claim',
  '  claim() {',
  '    // #region inner',
  '    return 1;',
  '    // #endregion',
  '  }',
  '',
  '  // #endregion',
  '}',
].join('\n');

describe('documents show the code that is run', () => {
  it('when a region is included, then its lines replace the block, without indent and marks', () => {
    const document = 'Before\n\n<!-- include: store.ts#claim -->\n\n```ts\nold\n```\n\nAfter\n';
    const shown = 'claim() {\n  return 1;\n}';
    assert.equal(
      filled(document, () => source),
      `Before\n\n<!-- include: store.ts#claim -->\n\n\`\`\`ts\n${shown}\n\`\`\`\n\nAfter\n`,
    );
  });

  it('when the block is in step, then filling it again changes nothing', () => {
    const once = filled('<!-- include: store.ts#claim -->\n```ts\n```\n', () => source);
    assert.equal(
      filled(once, () => source),
      once,
    );
  });

  it('when no region is named, then the whole file is shown', () => {
    assert.match(
      filled('<!-- include: a.sql -->\n```sql\n```\n', () => 'SELECT 1;\n'),
      /```sql\nSELECT 1;\n```/,
    );
  });

  it('when the text holds what replace() takes for a pattern, then it is shown as it is', () => {
    assert.match(
      filled('<!-- include: a.sh -->\n```sh\n```\n', () => "echo $& $1 $'\n"),
      /echo \$& \$1 \$'/,
    );
  });

  it('when a region is marked in SQL, YAML or HTML, then it is found', () => {
    for (const mark of ['-- #', '# #', '<!-- #']) {
      assert.equal(regionOf(`${mark}region a\nx\n${mark}endregion`, 'a'), 'x');
    }
  });

  it('when a region is missing or does not end, then it is an error', () => {
    assert.throws(() => regionOf(source, 'absent'), /no region absent/);
    assert.throws(() => regionOf('// #region a\nx', 'a'), /does not end/);
  });

  it('when an include has no block to fill, then it is an error', () => {
    assert.throws(() => filled('<!-- include: store.ts#claim -->\n\ntext\n', () => source), /not followed/);
  });
});
