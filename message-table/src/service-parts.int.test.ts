import { pino } from 'pino';

import { recordingReceiver } from './channels/http/testing/receiver.js';
import { runInTransaction } from './database/transaction.js';
import { createEvents } from './observe/events.js';
import { createServiceParts, SERVICE_RULES, SERVICE_SETTINGS, type ServiceParts } from './service-parts.js';
import { startInOrder, stopInReverse } from './service/lifecycle.js';
import { readSettings, type Environment } from './service/settings.js';
import { eventually } from './testkit/eventually.js';
import { freshDatabase } from './testkit/fresh-database.js';
import { QueueWorld } from './testkit/queue-world.js';
import { aCommand } from './testkit/table-world.js';

const NOTHING = { exchanges: [], queues: [], bindings: [] };

/** A service's parts on this database, started; the environment decides which channels it has. */
async function running(databaseUrl: string, environment: Environment, topology = NOTHING): Promise<ServiceParts> {
  const settings = readSettings(SERVICE_SETTINGS, SERVICE_RULES, environment);
  const context = { settings, events: createEvents(), log: pino({ level: 'silent' }), processName: 'service-1' };
  const parts = createServiceParts(context, { databaseUrl, topology, migrations: __dirname });
  await startInOrder(parts.services);
  await eventually(() => canMakeIds(parts));
  return parts;
}

function canMakeIds({ messages }: ServiceParts): boolean {
  try {
    return messages.newId() !== '';
  } catch {
    return false;
  }
}

describe('a service has the channels that its settings ask for', () => {
  it('when there is no AMQP_URL, then it starts, sends over HTTP, and says what it cannot do', async () => {
    await using fresh = await freshDatabase();
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const host = `127.0.0.1:${String(receiver.port)}`;
    const environment = { HTTP_ALLOW: host, HTTP_ALLOW_PRIVATE: host, SECRET_HOOK: 'Bearer abc' };
    const parts = await running(fresh.url, environment);
    try {
      const config = { url: receiver.url, authorization: 'secret:HOOK' } as const;
      const { acceptor } = parts.messages;
      await runInTransaction(parts.db, (trx) =>
        acceptor.accept(trx, { taskName: 'hook', channel: 'http', config, content: {} }),
      );
      await eventually(() => seen.length === 1);
      expect(seen[0]?.headers.authorization).toBe('Bearer abc');
      const overRabbit = runInTransaction(parts.db, (trx) => acceptor.accept(trx, aCommand()));
      await expect(overRabbit).rejects.toMatchObject({ code: 'CHANNEL_UNKNOWN' });
      const consumption = { queue: 'q', deadQueue: 'd', effect: { name: 'e', maxRetryCount: 1 } as never };
      expect(() => parts.consume(consumption)).toThrow('AMQP_URL');
    } finally {
      await stopInReverse(parts.services);
    }
  });

  it('when there is no HTTP_ALLOW, then it starts, sends over RabbitMQ, and has no channel http', async () => {
    await using queue = await QueueWorld.open();
    const { world, broker, exchange } = queue;
    const parts = await running(world.fresh.url, { AMQP_URL: broker.url() }, queue.topology as typeof NOTHING);
    try {
      await eventually(() => parts.rabbit?.isUp() === true);
      const { acceptor } = parts.messages;
      await runInTransaction(parts.db, (trx) =>
        acceptor.accept(trx, aCommand({ config: { exchange, routingKey: 'key' } })),
      );
      await queue.untilWaiting(1);
      const config = { url: 'https://hooks.example/' };
      const overHttp = runInTransaction(parts.db, (trx) =>
        acceptor.accept(trx, { taskName: 'hook', channel: 'http', config, content: {} }),
      );
      await expect(overHttp).rejects.toMatchObject({ code: 'CHANNEL_UNKNOWN' });
    } finally {
      await stopInReverse(parts.services);
    }
  });
});
