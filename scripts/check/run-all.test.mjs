import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runAll } from './run-all.mjs';

const says = (text, code) => ['-e', `console.log(${JSON.stringify(text)}); process.exitCode = ${code}`];

async function outcome(parts) {
  const lines = [];
  const code = await runAll(parts, { cwd: '.', atOnce: 2, write: (text) => lines.push(text) });
  return { code, text: lines.join('\n') };
}

describe('a check passes only when all its parts do', () => {
  it('when every part passes, then it passes', async () => {
    const { code, text } = await outcome([
      { name: 'one', args: says('', 0) },
      { name: 'two', args: says('', 0) },
    ]);
    assert.equal(code, 0);
    assert.match(text, /all well/);
  });

  it('when one part fails, then the others still run, and what it said is shown', async () => {
    const { code, text } = await outcome([
      { name: 'one', args: says('because of this', 1) },
      { name: 'two', args: says('', 0) },
      { name: 'three', args: says('', 0) },
    ]);
    assert.equal(code, 1);
    assert.match(text, /because of this/);
    assert.match(text, /✓ three/);
    assert.match(text, /one failed/);
  });
});
