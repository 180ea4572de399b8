import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Database } from '@counterfoil/message-table';
import { CollectedSpans, eventually, parentOf, traceAt } from '@counterfoil/message-table/testkit';
import { pino } from 'pino';

import { createHttpApp } from './http-app.js';
import type { OrderRequest } from './order.js';

let spans: CollectedSpans;
let server: Server;
let placed: OrderRequest[];
let runs: number;

beforeEach(async () => {
  spans = new CollectedSpans();
  [placed, runs] = [[], 0];
  const app = createHttpApp({
    db: {} as Database,
    place: async (requests) => {
      runs += 1;
      placed.push(...requests);
      return requests.map(({ productId, quantity }) => ({
        kind: 'created',
        order: { id: '1', productId, quantity, status: 'CREATED', reason: null, messageId: 'm' },
      }));
    },
    ...{ operations: () => false, log: pino({ level: 'silent' }) },
    ...{ closedBecause: () => null, backlogFull: () => false },
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  spans[Symbol.dispose]();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = (productId: number, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/orders?a=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ productId, quantity: 1 }),
  });

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

describe('POST /orders is a part of the trace of its client', () => {
  it('when requests of several traces are placed together, then each order belongs to its own', async () => {
    const traceparent = (n: number): string => `00-${String(n).repeat(32)}-${String(n).repeat(16)}-01`;
    await Promise.all(NUMBERS.map((n) => post(n, { traceparent: traceparent(n) })));
    expect(runs).toBeLessThan(NUMBERS.length);
    await eventually(() => spans.ended.length === NUMBERS.length);
    for (const { productId, trace } of placed) {
      const span = spans.ended.find((one) => one.spanContext().traceId === String(productId).repeat(32));
      expect(span).toMatchObject({
        name: 'POST /orders',
        attributes: {
          ...{ 'http.request.method': 'POST', 'http.route': '/orders', 'url.path': '/orders' },
          'http.response.status_code': 201,
        },
      });
      expect(span && parentOf(span)).toBe(String(productId).repeat(16));
      expect(trace).toEqual(span && traceAt(span));
    }
  });

  it.each<Record<string, string>>([{}, { traceparent: '00-1-1-01' }])(
    'when its headers are %j, then a trace begins with it',
    async (headers) => {
      expect((await post(1, headers)).status).toBe(201);
      await eventually(() => spans.ended.length === 1);
      expect(placed[0]?.trace?.traceparent).toContain(spans.ended[0]?.spanContext().traceId);
      expect(spans.ended[0] && parentOf(spans.ended[0])).toBeUndefined();
    },
  );

  it('when it is refused, then its span has the status, and is no error of ours', async () => {
    expect((await post(0)).status).toBe(400);
    await eventually(() => spans.ended.length === 1);
    expect(spans.ended).toMatchObject([{ status: { code: 0 }, attributes: { 'http.response.status_code': 400 } }]);
  });

  it('when nobody collects traces, then the order belongs to none', async () => {
    spans[Symbol.dispose]();
    await post(1, { traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01` });
    expect(placed).toMatchObject([{ trace: undefined }]);
    expect(spans.ended).toEqual([]);
  });
});
