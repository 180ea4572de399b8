import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import {
  createEvents,
  createHttpChannel,
  createMessageTable,
  readSettings,
  runInTransaction,
  type Service,
} from '@counterfoil/message-table';
import { eventually, freshDatabase, startInOrder, stopInReverse } from '@counterfoil/message-table/testkit';
import { createServer as createHttpServer } from 'node:http';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import { relay } from './relay.js';

const started: Service[][] = [];

/** Before the database goes that they work on. */
const stopAll = async (): Promise<void> => {
  for (const services of started.splice(0).reverse()) await stopInReverse(services);
};
afterEach(stopAll);

async function run(services: readonly Service[]): Promise<void> {
  started.push([...services]);
  await startInOrder(services);
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a relay has the channels that its settings ask for', () => {
  it('when it has HTTP_ALLOW and no AMQP_URL, then it is ready and sends what waits for HTTP', async () => {
    await using fresh = await freshDatabase();
    await using _stopped = { [Symbol.asyncDispose]: stopAll };
    const keys: unknown[] = [];
    const receiver = createHttpServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.end();
    });
    const host = `127.0.0.1:${String(await listening(receiver))}`;
    const [allow, PORT] = [[host], String(await freePort())];
    const http = { allow, allowPrivate: allow, attemptTimeoutMs: 2_000, breakerWindowMs: 0, secrets: () => undefined };
    const producer = createMessageTable({
      ...{ db: fresh.db, channels: [createHttpChannel(http)], processName: 'producer', leaseMs: 30_000 },
      retry: { retryBaseMs: 2_000, retryMaxMs: 60_000, unknownPauseMs: 2_000 },
      ...{ attemptTimeoutMs: 2_000, maxContentBytes: 1_000, maxRetryCount: 5, fastPathPlaces: 0 },
    });
    await run(producer.services);
    const environment = { DB_URL: fresh.url, PORT, HTTP_ALLOW: host, HTTP_ALLOW_PRIVATE: host };
    const settings = readSettings(relay.settings, relay.rules, environment);
    const context = { settings, events: createEvents(), registry: new Registry(), log: pino({ level: 'silent' }) };
    await run(relay.build({ ...context, processName: 'relay-1' }).services);
    const ready = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).status === 200;
    await eventually(ready);
    const nothing = await fetch(`http://127.0.0.1:${PORT}/orders`);
    expect(nothing.headers.get('content-type')).toBe('application/problem+json');
    expect(await nothing.json()).toMatchObject({ status: 404, code: 'not-found' });
    const messageId = 'only-http';
    await eventually(() =>
      runInTransaction(fresh.db, (trx) =>
        producer.acceptor.accept(trx, {
          ...{ messageId, taskName: 'hook', channel: 'http', content: {} },
          config: { url: `http://${host}/hook` },
        }),
      ).catch(() => false),
    );
    await eventually(() => keys.includes(messageId));
    await new Promise((resolve) => receiver.close(resolve));
  });

  it('when it has neither, then its settings are refused', () => {
    const read = () => readSettings(relay.settings, relay.rules, { DB_URL: 'mysql://u:p@127.0.0.1:9/x' });
    expect(read).toThrow('AMQP_URL or HTTP_ALLOW must be given');
  });
});
