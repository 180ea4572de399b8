// What the programs that a person pipes into `head` do when it has gone: nothing that anybody has to read.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = dirname(dirname(import.meta.dirname));
const PROGRAMS = [
  ['chaos/dist/main.js', '--list'],
  ['chaos/dist/prove/main.js', '--list'],
  ['reconcile/dist/main.js', '--help'],
  ['loadtest/dist/run/main.js', '--list'],
  ['demo/dist/main.js', '--help'],
  ['stack/dist/main.js', '--help'],
];

/** Runs it with nobody at the other end of its standard output. */
async function unread([file, ...args]) {
  const child = spawn(process.execPath, [join(ROOT, file), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let complaint = '';
  child.stderr.on('data', (text) => (complaint += text));
  const [code, signal] = await once(child, 'close');
  return { code, signal, complaint };
}

describe('a program whose output nobody reads any more', () => {
  for (const program of PROGRAMS) {
    it(`when it is ${program.join(' ')}, then it ends, and says nothing of it`, async () => {
      assert.deepEqual(await unread(program), { code: 0, signal: null, complaint: '' });
    });
  }
});
