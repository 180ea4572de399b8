import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { scanLog, scanLogs } from './scan.js';

const PINO = (level: number, msg: string): string => JSON.stringify({ level, time: 1, msg });

describe('scanning a log', () => {
  it.each([
    ['a rejection that nobody handles', PINO(60, 'unhandledRejection'), 'unhandled'],
    ['an exception that nobody catches', 'Uncaught Exception: boom', 'unhandled'],
    ['a line of level fatal', PINO(60, 'could not start'), 'forbidden'],
    ['the words for a bug', PINO(50, 'This is a bug; the log has the details'), 'forbidden'],
    ['a database that crashed', 'This could be because you hit a bug.', 'forbidden'],
    ['a full heap', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'forbidden'],
    ['a URL with a password', PINO(40, 'cannot reach mysql://root:hunter2@127.0.0.1:3306/orders'), 'secret'],
    ['a secret of the run', PINO(30, 'token tok-4f7a90c1d2e3b4a5'), 'secret'],
    ['the weak password where a password stands', '{"password":"counterfoil"}', 'secret'],
  ])('when there is %s, then it is found', (_what, line, why) => {
    const found = scanLog('relay-1', `${PINO(30, 'fine')}\n${line}\n`, ['counterfoil', 'tok-4f7a90c1d2e3b4a5']);
    expect(found).toMatchObject([{ process: 'relay-1', why }]);
  });

  it.each([
    PINO(50, 'channel down'),
    '{"level":30,"port":60,"msg":"ready"}',
    PINO(30, 'connected to mysql://root:***@127.0.0.1:3306/orders'),
    PINO(30, 'connected to amqp://127.0.0.1:5672/'),
    PINO(30, '/tmp/counterfoil-1/broker counterfoil@localhost counterfoil_messages_settled_total'),
  ])('when a line is %s, then it is let pass', (line) => {
    expect(scanLog('relay-1', line, ['counterfoil'])).toEqual([]);
  });

  it('when a secret is found, then the finding does not repeat it', () => {
    const text = 'a amqp://user:hunter2@host and tok-4f7a90c1d2e3b4a5';
    const [found] = scanLog('relay-1', text, ['tok-4f7a90c1d2e3b4a5']);
    expect(found?.line).toBe('a amqp://user:***@host and ***');
  });

  it('when one trouble fills a log, then it is told twenty times at most', () => {
    expect(scanLog('relay-1', 'uncaughtException\n'.repeat(1_000))).toHaveLength(20);
  });

  it('when files are scanned, then each finding names its process, and a file that is missing is an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scan-'));
    const file = join(folder, 'relay-1.log');
    await writeFile(file, 'fine\nuncaughtException\n');
    expect(await scanLogs([{ process: 'relay-1', file }])).toMatchObject([{ process: 'relay-1', why: 'unhandled' }]);
    await expect(scanLogs([{ process: 'relay-2', file: `${file}.none` }])).rejects.toThrow('ENOENT');
    await rm(folder, { recursive: true });
  });
});
