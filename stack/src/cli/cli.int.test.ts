import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';

// Runs from dist/: the process that keeps the servers cannot load TypeScript.
const MAIN = join(__dirname, '..', '..', 'dist', 'main.js');

describe('the servers stay up until they are taken down', () => {
  let temporary: string;

  // A temporary folder of its own: a stack that somebody has up in this clone must not be taken down.
  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'cf-'));
  });
  afterAll(async () => {
    await stack('down');
    await rm(temporary, { recursive: true });
  });

  const stack = (...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env: { ...process.env, TMPDIR: temporary } });

  it('when it is up, then the URLs answer, a second up gives the same, and down leaves nothing but the template', async () => {
    const urls = JSON.parse((await stack('up', '--json')).stdout) as Record<string, string | null>;
    expect(Object.keys(urls)).toEqual(['orderDb', 'inventoryDb', 'amqp', 'amqpManagement', 'toxiproxy']);
    await (await createConnection(urls['orderDb'] ?? '')).end();

    const second = await stack('up', '--json');
    expect(JSON.parse(second.stdout)).toEqual(urls);
    expect(second.stderr).toContain('up already');

    await stack('down');
    expect((await readdir(temporary)).filter((name) => !name.startsWith('counterfoil-template-'))).toEqual([]);
    expect((await stack('down')).stderr).toContain('No stack is up');
  }, 60_000);

  it('when the verb is unknown, then it ends with 1 and says what there is', async () => {
    await expect(stack('sideways')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
  });
});
