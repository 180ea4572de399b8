import { createEvents, readSettings, type Service } from '@counterfoil/message-table';
import {
  eventually,
  freePort,
  freshDatabase,
  servers,
  startInOrder,
  stopInReverse,
  TestBroker,
  type FreshDatabase,
} from '@counterfoil/message-table/testkit';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import { bookingsService } from './bookings-service.js';
import { ANSWER, ASK } from './routes.js';

let fresh: FreshDatabase;
let broker: TestBroker;
let services: readonly Service[];
let url: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  broker = await TestBroker.open(servers(process.env), 'bookings');
  const PORT = String(await freePort());
  url = `http://127.0.0.1:${PORT}`;
  const environment = { DB_URL: fresh.url, AMQP_URL: broker.url(), PORT };
  const settings = readSettings(bookingsService.settings, bookingsService.rules, environment);
  const context = { settings, events: createEvents(), registry: new Registry(), log: pino({ level: 'silent' }) };
  ({ services } = bookingsService.build({ ...context, processName: 'bookings-1' }));
  await startInOrder(services);
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
});
afterAll(async () => {
  await stopInReverse(services);
  await broker.close();
  await fresh[Symbol.asyncDispose]();
});

const statusOf = async (id: string): Promise<unknown> =>
  ((await fresh.db.knex('booking').where({ id }).first()) as { status: unknown } | undefined)?.status;

const book = async (room: string): Promise<string> => {
  const answer = await fetch(`${url}/book/${room}`, { method: 'POST' });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: string }).id;
};

/** As the hotel's own service would, or another language's. */
const reply = (messageId: string, body: unknown): void =>
  void broker.channel.publish(ANSWER.exchange, ANSWER.routingKey, Buffer.from(JSON.stringify(body)), { messageId });

describe('a service that uses the component', () => {
  it('when a room is booked, then the hotel is asked, and its answer takes effect once', async () => {
    const id = await book('12a');
    const asked = await broker.take(ASK.queue);
    expect(JSON.parse(asked.content.toString())).toEqual({ bookingId: id, room: '12a' });
    expect(await statusOf(id)).toBe('ASKED');
    reply('answer-1', { bookingId: id, free: true });
    reply('answer-1', { bookingId: id, free: true });
    await eventually(async () => (await statusOf(id)) === 'BOOKED');
    const notes = await fresh.db.knex('consumer_message').where({ message_id: 'answer-1' });
    expect(notes).toMatchObject([{ consumer: 'bookings.room-answer', status: 'SUCCESS' }]);
  });

  it('when an answer cannot be read, then it is kept for a person and holds up nobody', async () => {
    reply('answer-2', { bookingId: 7 });
    const id = await book('14');
    reply('answer-3', { bookingId: id, free: false });
    await eventually(async () => (await statusOf(id)) === 'FULL');
    const kept = async (): Promise<boolean> =>
      (await fresh.db.knex('consumer_message').where({ message_id: 'answer-2', status: 'FAILED' })).length === 1;
    await eventually(kept);
  });
});
