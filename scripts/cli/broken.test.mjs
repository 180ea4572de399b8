// The programs whose exit code 1 says that something is wrong with the orders: an error of their own must not say it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = dirname(dirname(import.meta.dirname));
const PROGRAMS = [
  ['chaos/dist/main.js', '--list'],
  ['demo/dist/main.js', '--help'],
  ['reconcile/dist/main.js', '--help'],
];

describe('a program that breaks by an error that nobody caught', () => {
  let folder;
  let breaking;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'broken-'));
    breaking = join(folder, 'breaking.cjs');
    // After the program was loaded, before it comes to its end.
    writeFileSync(breaking, "process.nextTick(() => { throw new Error('boom'); });\n");
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [file, ...args] of PROGRAMS) {
    it(`when it is ${file}, then it says what broke it, and ends with 2: it cannot tell`, async () => {
      const child = spawn(process.execPath, ['--require', breaking, join(ROOT, file), ...args], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (text) => (said += text));
      const [code] = await once(child, 'close');
      assert.equal(code, 2);
      assert.match(said, /Error: boom\n {4}at /);
    });
  }
});
