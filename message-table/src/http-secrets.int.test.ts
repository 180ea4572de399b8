import { pino } from 'pino';
import { Registry } from 'prom-client';

import { selectRows } from './database/rows.js';
import { logEvents } from './observe/log-events.js';
import { measureEvents } from './observe/measure-events.js';
import { HttpWorld } from './testkit/http-world.js';

const SECRET = 'Bearer s3cr3t-4711';
const TABLES = ['producer_message', 'producer_message_archive', 'message_action', 'message_pause', 'worker_lease'];

let http: HttpWorld;
beforeEach(async () => {
  http = await HttpWorld.open();
});
afterEach(async () => {
  await http[Symbol.asyncDispose]();
});

/** Everything that the processes of this test have said: log lines of all levels, events, metrics. */
function listen(): () => Promise<string> {
  const { events } = http.world.db;
  const said: string[] = [];
  const registry = new Registry();
  logEvents(events, pino({ level: 'trace' }, { write: (line: string) => said.push(line) }));
  measureEvents(events, registry);
  const emit = events.emit.bind(events) as (...args: unknown[]) => boolean;
  events.emit = (...args: unknown[]) => (said.push(JSON.stringify(args)), emit(...args));
  return async () => [...said, await registry.metrics()].join('\n');
}

const everyRow = async (): Promise<string> =>
  JSON.stringify(await Promise.all(TABLES.map((table) => selectRows(http.world.db.knex, `SELECT * FROM ${table}`))));

describe('a secret is nowhere but in the request', () => {
  it('when messages with a secret are sent, refused, unanswered and given up, then no row, log line, event or metric has it', async () => {
    const said = listen();
    const { receiver, seen } = await http.receiver(200, 500, 422, 'never');
    const secrets = (name: string) => (name === 'HOOK' ? SECRET : undefined);
    const table = await http.start([receiver.url], { secrets }, { db: http.world.db });
    const config = { url: receiver.url, authorization: 'secret:HOOK' } as const;
    const done = [
      ({ status }: { status: string }) => status === 'SENT',
      ({ retryCount }: { retryCount: number }) => retryCount === 1,
      ({ status }: { status: string }) => status === 'FAILED',
      ({ version }: { version: number }) => version === 2,
    ];
    for (const condition of done) {
      const { messageId } = await http.accept(table, receiver.url, { config });
      await http.world.until(messageId, condition);
    }
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(SECRET));
    const everything = `${await everyRow()}\n${await said()}`;
    expect(everything).toContain('secret:HOOK');
    expect(everything).toContain('answered 422');
    expect(everything).not.toContain('s3cr3t');
  });

  it('when the secret is gone by the time of the attempt, then the message waits with its name in the reason, others to the host go out, and it follows when the secret is back', async () => {
    const said = listen();
    const { receiver, seen } = await http.receiver(200);
    let value: string | undefined = SECRET;
    const secrets = () => value;
    const table = await http.start([receiver.url], { secrets }, { db: http.world.db });
    const config = { url: receiver.url, authorization: 'secret:HOOK' } as const;
    const accepted = await Promise.all(
      Array.from({ length: 10 }, () => http.accept(table, receiver.url, { config, delayMs: 60_000, maxRetryCount: 1 })),
    );
    value = undefined;
    await http.world.makeDue();
    for (const { messageId } of accepted) {
      const waits = await http.world.until(messageId, ({ errorMsg }) => errorMsg !== null);
      expect(waits).toMatchObject({ status: 'PENDING', retryCount: 0, errorMsg: 'Secret HOOK is missing or unusable' });
    }
    const other = await http.accept(table, receiver.url);
    await http.world.until(other.messageId, ({ status }) => status === 'SENT');
    expect(seen).toHaveLength(1);
    value = SECRET;
    await http.world.makeDue();
    for (const { messageId } of accepted) await http.world.until(messageId, ({ status }) => status === 'SENT');
    expect(await said()).toMatch(/counterfoil_attempts_failed_total\{kind="lacking"\} [1-9]\d/);
  });

  it('when no secret has the name, then the command is refused at the door', async () => {
    const { receiver } = await http.receiver(200);
    const table = await http.start([receiver.url]);
    const config = { url: receiver.url, authorization: 'secret:NONE' } as const;
    await expect(http.accept(table, receiver.url, { config })).rejects.toMatchObject({ code: 'SECRET_UNKNOWN' });
    expect(await http.world.rows()).toEqual([]);
  });
});
