import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DEDUCT } from '@counterfoil/contracts';
import { eventually } from '@counterfoil/message-table/testkit';

import { OrderWorld } from './testing/order-world.js';

interface Seen {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let world: OrderWorld;
let inventory: Server;
let seen: Seen[];
let answers: number[];

beforeEach(async () => {
  [seen, answers] = [[], []];
  inventory = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answers.shift() ?? 200).end();
    });
  }).listen(0, '127.0.0.1');
  await once(inventory, 'listening');
  world = await OrderWorld.open();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  inventory.close();
  await once(inventory, 'close');
});

const start = (): Promise<void> => {
  const host = `127.0.0.1:${String((inventory.address() as AddressInfo).port)}`;
  return world.start({
    ORDER_CHANNEL: 'http',
    INVENTORY_URL: `http://${host}`,
    HTTP_ALLOW: host,
    HTTP_ALLOW_PRIVATE: host,
  });
};

const ORDER = { productId: 1, quantity: 2 };

describe('ORDER_CHANNEL=http', () => {
  it('when an order is placed, then its deduction is POSTed under the message id, and none goes through the queue', async () => {
    await start();
    const { status, body: order } = await world.post(ORDER);
    expect(status).toBe(201);
    await eventually(async () => (await world.messages())[0]?.status === 'SENT');
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      path: '/deductions',
      headers: { 'idempotency-key': order['messageId'], 'content-type': 'application/json' },
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ orderId: order['id'], ...ORDER });
    expect(await world.broker.messagesIn(DEDUCT.queue)).toBe(0);
  });

  it('when the inventory redirects, then the message is FAILED, and nobody goes there', async () => {
    answers = [307];
    await start();
    await world.post(ORDER);
    await eventually(async () => (await world.messages())[0]?.status === 'FAILED');
    expect(seen).toHaveLength(1);
  });

  it('when the inventory is in trouble, then the order is placed all the same, and its message waits', async () => {
    answers = [503];
    await start();
    expect((await world.post(ORDER)).status).toBe(201);
    await eventually(() => seen.length === 1);
    await eventually(async () => (await world.messages())[0]?.status === 'PENDING');
  });
});
