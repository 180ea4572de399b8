import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import type { Database } from '@counterfoil/message-table';
import { eventually } from '@counterfoil/message-table/testkit';
import { pino } from 'pino';

import { createHttpApp, type HttpAppOptions } from './http-app.js';
import type { Placed } from './placed.js';

let server: Server;
let url: string;
let logged: Record<string, unknown>[];
let place: HttpAppOptions['place'];

beforeEach(async () => {
  logged = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = createHttpApp({
    db: { knex: { raw: () => Promise.reject(new Error('a bug in a query')) } } as unknown as Database,
    place: (requests) => place(requests),
    operations: () => false,
    log,
    closedBecause: () => null,
    backlogFull: () => false,
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = (): Promise<Response> =>
  fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"productId":1,"quantity":1}',
  });

describe('HTTP-06: a bug in a handler', () => {
  it.each([new Error('a bug'), undefined, null, 'text', { status: 204 }])(
    'HTTP-06: when %p is thrown, then it is a 500 problem and one log line with method and path (design)',
    async (thrown) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever a library throws
      place = () => Promise.reject(thrown);
      const response = await post();
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'internal' });
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({ method: 'POST', url: '/orders' });
    },
  );

  it('HTTP-06: when a query throws, then GET is a 500 problem, and the text of the error stays inside', async () => {
    const response = await fetch(`${url}/orders/5`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('a bug in a query');
  });

  it('HTTP-06: when the client goes away before the answer, then nothing breaks and the next request is served', async () => {
    let answer: (placed: Placed[]) => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      place = () => {
        resolve();
        return new Promise((done) => (answer = done));
      };
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n{"productId":1,"quantity":1}',
    );
    await begun;
    socket.resetAndDestroy();
    await eventually(
      () => new Promise<boolean>((resolve) => server.getConnections((_, count) => resolve(count === 0))),
    );
    answer([{ kind: 'outcome-unknown' }]);
    place = () => Promise.resolve([{ kind: 'not-accepted' }]);
    expect((await post()).status).toBe(503);
    expect(logged).toEqual([]);
  });
});

it('HTTP-02: when Idempotency-Key comes twice, then it is refused, for joined it would be another key', async () => {
  let asked = 0;
  place = () => {
    asked += 1;
    return Promise.resolve([{ kind: 'not-accepted' }]);
  };
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json', 'idempotency-key': ['k', 'k'] };
  const request = httpRequest({ host: '127.0.0.1', port, path: '/orders', method: 'POST', headers });
  const [response] = (await once(request.end('{"productId":1,"quantity":1}'), 'response')) as [IncomingMessage];
  expect([response.resume().statusCode, asked]).toEqual([400, 0]);
});
