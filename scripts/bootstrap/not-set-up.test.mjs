import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const SCRIPTS = dirname(import.meta.dirname);
const CODES = { chaos: 2, demo: 2, reconcile: 2, prove: 1, loadtest: 1, test: 1, 'no-such-verb': 1 };

describe('a verb that cannot be set up', () => {
  let root;
  let npm;
  let oldNode;
  before(() => {
    // A clone without its packages, on a machine whose npm cannot install them.
    root = mkdtempSync(join(tmpdir(), 'not-set-up-'));
    cpSync(join(SCRIPTS, 'bootstrap.mjs'), join(root, 'scripts', 'bootstrap.mjs'));
    cpSync(join(SCRIPTS, 'bootstrap'), join(root, 'scripts', 'bootstrap'), { recursive: true });
    npm = join(root, 'npm-cli.js');
    writeFileSync(npm, "console.error('a broken package'); process.exitCode = 1;\n");
    oldNode = join(root, 'old-node.cjs');
    writeFileSync(
      oldNode,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '12.22.0' } });\n",
    );
  });
  after(() => rmSync(root, { recursive: true }));

  async function endOf(verb, ...nodeArgs) {
    const child = spawn(process.execPath, [...nodeArgs, join(root, 'scripts', 'bootstrap.mjs'), verb], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, npm_execpath: npm },
    });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    const [code] = await once(child, 'close');
    return { code, said };
  }

  for (const [verb, expected] of Object.entries(CODES)) {
    it(`when it is ${verb}, then it ends with ${expected}, whatever is missing`, async () => {
      const { code, said } = await endOf(verb);
      assert.match(said, verb === 'no-such-verb' ? /^Usage: / : /npm ci failed\. npm says:\n\na broken package/);
      assert.equal(code, expected);
      const old = await endOf(verb, '--require', oldNode);
      assert.match(old.said, /^Counterfoil needs Node .* or newer; this is Node 12\.22\.0/);
      assert.equal(old.code, expected);
    });
  }
});
