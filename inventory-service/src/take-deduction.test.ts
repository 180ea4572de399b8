import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerErrors, type Effect, type Received, type TakenIn } from '@counterfoil/message-table';
import { createRoutes } from '@counterfoil/message-table/fastify';
import { pino } from 'pino';

import { takeDeduction } from './take-deduction.js';

const effect: Effect = {
  name: 'inventory.deduct',
  maxRetryCount: 5,
  read: ({ body }) => JSON.parse(body.toString()) as unknown,
  apply: () => Promise.reject(new Error('not asked here')),
};

let server: Server;
let taken: Received[];
let ends: TakenIn;
let closed: string | null;

beforeEach(async () => {
  [taken, ends, closed] = [[], 'success', null];
  const take = (message: Received): Promise<TakenIn> => {
    taken.push(message);
    return Promise.resolve(ends);
  };
  const handler = createRoutes({
    ...{ operations: () => false, answerError: answerErrors(pino({ level: 'silent' })), nothingHere: '' },
    routes: (app) => void app.register(takeDeduction({ effect, take, closedBecause: () => closed })),
  });
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = (body = '{}'): Promise<Response> =>
  fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/deductions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'm-1' },
    body,
  });

/** With a header line for each of the keys. */
async function postWithKeys(...keys: string[]): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', 'idempotency-key': keys };
  const request = httpRequest({ host: '127.0.0.1', port, path: '/deductions', method: 'POST', headers });
  const [response] = (await once(request.end('{}'), 'response')) as [IncomingMessage];
  return response.resume().statusCode;
}

const ENDINGS: [TakenIn, string, number][] = [
  ['success', '{}', 200],
  ['SUCCESS', '{}', 200],
  ['PENDING_RETRY', '{}', 202],
  ['RETRYING', '{}', 202],
  ['FAILED', '{}', 202],
  ['FAILED', '{', 422],
  ['unstorable', '{}', 400],
  ['not-accepted', '{}', 503],
  ['not-known', '{}', 503],
];

it.each(ENDINGS)('when a message ends %s with the body %s, then the answer is %d', async (ending, body, status) => {
  ends = ending;
  const response = await post(body);
  expect(response.status).toBe(status);
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  expect(taken).toMatchObject([{ messageId: 'm-1', consumer: 'inventory.deduct', receivedBy: 'http /deductions' }]);
});

it('when the process is starting or stopping, then the answer is 503 and nothing is tried', async () => {
  closed = 'The service is starting or stopping';
  const response = await post();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'not-accepted' });
  expect(taken).toEqual([]);
});

it('when Idempotency-Key comes twice, then the answer is 400, for both together would be another message', async () => {
  expect(await postWithKeys('m-1', 'm-1')).toBe(400);
  expect(await postWithKeys('m-1', 'm-2')).toBe(400);
  expect(taken).toEqual([]);
  expect(await postWithKeys('m-1')).toBe(200);
});
