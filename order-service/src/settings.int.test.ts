import { execFile } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(__dirname, '..', 'dist', 'main.js');
const FINE = { ORDER_DB_URL: 'mysql://u:p@127.0.0.1:9/x', AMQP_URL: 'amqp://u:p@127.0.0.1:9' };

/** The built program, as `npm test` has just made it. */
const run = (env: Record<string, string>, ...args: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { PATH: process.env['PATH'], ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });

describe('the settings of order-service', () => {
  it('when some are missing or malformed, then all of them are named at once and the exit code is 1', async () => {
    const { code, err } = await run({
      ORDER_DB_URL: 'postgres://x',
      PORT: '99999',
      FAST_PATH: 'maybe',
      DB_POOL: 'many',
      MAX_BACKLOG: '-1',
    });
    expect(code).toBe(1);
    for (const name of ['ORDER_DB_URL', 'AMQP_URL', 'PORT', 'FAST_PATH', 'DB_POOL', 'MAX_BACKLOG'])
      expect(err).toContain(`- ${name}`);
  });

  it('when several contradict one another, then every contradiction is named at once and the exit code is 1', async () => {
    const { code, err } = await run({
      ...FINE,
      SENDING_LEASE_MS: '5000',
      ATTEMPT_TIMEOUT_MS: '5000',
      RETRY_BASE_MS: '5000',
      RETRY_MAX_MS: '1000',
      CONSUMER_BATCH: '500',
      CONSUMER_PREFETCH: '10',
      DB_POOL: '4',
    });
    expect(code).toBe(1);
    for (const name of ['SENDING_LEASE_MS', 'RETRY_BASE_MS', 'CONSUMER_PREFETCH', 'DB_POOL'])
      expect(err).toContain(`- ${name}`);
  });

  it('when deductions are to go over HTTP and nobody says where, or may not go there, then that is named', async () => {
    const http = { ...FINE, ORDER_CHANNEL: 'http', HTTP_ALLOW: '127.0.0.1:3002' };
    expect((await run(http)).err).toContain('- INVENTORY_URL must be given');
    expect((await run({ ...http, INVENTORY_URL: 'http://127.0.0.1:3999' })).err).toContain('127.0.0.1:3999');
    expect((await run({ ...http, INVENTORY_URL: 'http://127.0.0.1:3002' })).err).toContain('HTTP_ALLOW_PRIVATE');
    expect((await run({ ...http, INVENTORY_URL: 'inventory:3002' })).err).toContain('- INVENTORY_URL');
  });

  it('when a secret stands in a URL that is wrong, then the message does not repeat it', async () => {
    const { err } = await run({ ...FINE, ORDER_DB_URL: 'postgres://user:hunter2@host/db' });
    expect(err).toContain('ORDER_DB_URL');
    expect(err).not.toContain('hunter2');
  });

  it('when help is asked for, then every setting is explained and nothing is started', async () => {
    const { code, out } = await run({}, '--help');
    expect(code).toBe(0);
    for (const name of ['ORDER_DB_URL', 'AMQP_URL', 'PORT', 'MAX_BACKLOG', 'DB_DEADLINE_MS'])
      expect(out).toContain(name);
  });
});
