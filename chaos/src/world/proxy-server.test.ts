import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FaultProxyServer } from '@counterfoil/stack';

import { eventually } from '../fault-proxy/testkit/eventually.js';
import { startProxyServer } from './proxy-server.js';
import { isAlive } from './testing/is-alive.js';

const ANSWERS = `require('node:http').createServer((_, response) => response.end('{}')).listen(process.argv[5]);`;
const SAYS_NOTHING = `require('node:net').createServer(() => undefined).listen(process.argv[5]);`;
const ENDS = 'process.exit(3);';

describe('the fault proxy on this machine', () => {
  const before = process.env['TOXIPROXY_BIN'];
  let folder: string;
  let guarded: number[];
  let released: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    guarded = [];
    released = 0;
  });
  afterEach(() => {
    for (const pid of guarded.filter(isAlive)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
    if (before === undefined) delete process.env['TOXIPROXY_BIN'];
    else process.env['TOXIPROXY_BIN'] = before;
  });

  const start = (answersWithinMs = 10_000) =>
    startProxyServer(
      {
        startFaultProxy: async () => ({ url: 'http://in-a-container', ports: [1] }) as unknown as FaultProxyServer,
        guard: (pid) => {
          guarded.push(pid);
          return () => void (released += 1);
        },
      },
      { ports: 1, seed: 1, answersWithinMs },
    );

  const useProgram = (script: string): string => {
    const file = join(folder, 'toxiproxy');
    writeFileSync(file, `#!${process.execPath}\n${script}\n`);
    chmodSync(file, 0o755);
    process.env['TOXIPROXY_BIN'] = file;
    return file;
  };

  it('when TOXIPROXY_BIN is empty, then it is as if it were not set', async () => {
    process.env['TOXIPROXY_BIN'] = '';
    expect((await start()).api).toBe('http://in-a-container');
  });

  it('when the program cannot be started, then it is named, with the reason', async () => {
    const file = join(folder, 'nope');
    process.env['TOXIPROXY_BIN'] = file;
    await expect(start()).rejects.toThrow(`The fault proxy ${file}: it could not be started (spawn ${file} ENOENT)`);
  });

  it('when the program ends at once, then it is named, with its exit code', async () => {
    const file = useProgram(ENDS);
    await expect(start()).rejects.toThrow(`The fault proxy ${file}: it has ended (exit code 3)`);
    expect([guarded.length, released]).toEqual([1, 1]);
  });

  it('when it takes connections and does not answer, then that is said, and it is not left behind', async () => {
    const file = useProgram(SAYS_NOTHING);
    await expect(start(500)).rejects.toThrow(`The fault proxy ${file}: it does not answer`);
    expect(guarded.map(isAlive)).toEqual([false]);
  });

  it('when somebody kills it, then it has no process any more, and stopping it waits for nothing', async () => {
    useProgram(ANSWERS);
    const server = await start();
    const pid = server.pid ?? 0;
    expect(guarded).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    await eventually(
      () => !isAlive(pid) && released === 1,
      () => 'it is still there',
    );
    expect(server.pid).toBeUndefined();
    await server.stop();
  });
});
