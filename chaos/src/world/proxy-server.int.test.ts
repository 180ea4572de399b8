import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isAlive } from './testing/is-alive.js';

// Runs from dist/: the harness is a process of its own here, and so is the proxy.
const DIST = join(__dirname, '..', '..', 'dist');
const STACK = join(__dirname, '..', '..', '..', 'stack', 'dist', 'index.js');
const HARNESS = `
  const { startStack } = require(${JSON.stringify(STACK)});
  const { startProxyServer } = require(${JSON.stringify(join(DIST, 'world', 'proxy-server.js'))});
  startStack({ backend: 'native', databases: [], broker: false })
    .then((stack) => startProxyServer(stack, { ports: 1, seed: 1 }))
    .then(({ pid }) => process.stdout.write(String(pid), () => process.kill(process.pid, 'SIGKILL')));`;

describe('the fault proxy on the host', () => {
  let folder: string;
  let pid = 0;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  });
  afterEach(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** Knows nothing of who started it, as the original does not. */
  const program = (): string => {
    const file = join(folder, 'toxiproxy-server');
    writeFileSync(file, `#!${process.execPath}\nrequire(${JSON.stringify(join(DIST, 'fault-proxy', 'main.js'))});\n`);
    chmodSync(file, 0o755);
    return file;
  };

  it.each([
    ['ours', () => ''],
    ['a program of its own', program],
  ])('when its harness is killed, then it ends as well: %s', async (_which, bin) => {
    const env = { PATH: '', TMPDIR: folder, TOXIPROXY_BIN: bin() };
    const harness = spawn(process.execPath, ['-e', HARNESS], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    harness.stdout.on('data', (data: Buffer) => (pid = Number(data.toString())));
    harness.stderr.on('data', (data: Buffer) => (said += data.toString()));
    // All of them write their errors there: it is closed when the last one, the watchdog, has ended.
    await once(harness.stderr, 'close');
    expect([pid > 1, said]).toEqual([true, '']);
    expect(isAlive(pid)).toBe(false);
  });
});
