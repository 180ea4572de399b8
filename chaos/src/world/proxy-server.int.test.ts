import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// Runs from dist/: the proxy is a process of its own. PATH is empty, so that it is ours.
const SERVER = join(__dirname, '..', '..', 'dist', 'world', 'proxy-server.js');
const HARNESS = `
  const { startProxyServer } = require(${JSON.stringify(SERVER)});
  startProxyServer({ startFaultProxy: async () => null }, 1, 1).then(({ pid }) => {
    process.stdout.write(String(pid), () => process.kill(process.pid, 'SIGKILL'));
  });`;

describe('the fault proxy on the host', () => {
  let pid = 0;
  afterEach(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });

  it('when its harness is killed, then it ends as well', async () => {
    const harness = spawn(process.execPath, ['-e', HARNESS], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    harness.stdout.on('data', (data: Buffer) => (pid = Number(data.toString())));
    harness.stderr.resume();
    // Both write their errors there: it is closed when the second of them has ended.
    await once(harness.stderr, 'close');
    expect(pid).toBeGreaterThan(1);
  });
});
