import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { pino } from 'pino';

import { createRoutes } from './fastify.js';
import { eventually } from './testkit/eventually.js';
import { answerErrors } from './service/problem.js';

let server: Server;
let logged: Record<string, unknown>[];

beforeEach(async () => {
  logged = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  const handler = createRoutes({
    operations: ({ url }, response) => url === '/healthz' && Boolean(response.end('well')),
    answerError: answerErrors(log),
    nothingHere: 'There is /things',
    routes: (app) => {
      app.post('/things', ({ body }, reply) => reply.code(201).send({ got: body }));
      app.get<{ Params: { id: string } }>('/things/:id', ({ params }) => params);
      app.get('/bug', () => {
        throw new Error('undone');
      });
    },
  });
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const portOf = (): number => (server.address() as AddressInfo).port;

/** Everything that comes back for these bytes, which ask for `answers` answers. */
async function say(bytes: string, answers = 1): Promise<string> {
  const socket = connect(portOf(), '127.0.0.1');
  let heard = '';
  socket.on('data', (data: Buffer) => (heard += data.toString()));
  socket.write(bytes);
  await eventually(() => heard.split('HTTP/1.1 ').length > answers && heard.endsWith('}'));
  socket.destroy();
  return heard;
}

const post = (type: string, body: string, more = ''): string =>
  `POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}Content-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
const ask = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const REFUSED: [what: string, bytes: string, status: number, code: string][] = [
  ['a path that is no text', ask('GET', '/things/%zz'), 400, 'malformed'],
  ['a parameter that is too long', ask('GET', `/things/${'9'.repeat(200)}`), 400, 'malformed'],
  ['another path', ask('GET', '/others'), 404, 'not-found'],
  ['another method', ask('DELETE', '/things'), 404, 'not-found'],
  ['a method that nobody knows here', ask('PROPFIND', '/things'), 404, 'not-found'],
  ['no JSON', post('application/json', '{"a":'), 400, 'malformed'],
  ['an empty body', post('application/json', ''), 400, 'malformed'],
  [
    'a body without a type',
    ask('POST', '/things').replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}'),
    415,
    'not-json',
  ],
  ['a type that is none', post(';;', '{}'), 415, 'not-json'],
  ['plain text', post('text/plain', '{}'), 415, 'not-json'],
  ['another character set', post('application/json; charset="koi8-r"', '{}'), 415, 'not-json'],
  ['a compressed body', post('application/json', '{}', 'Content-Encoding: gzip\r\n'), 415, 'not-json'],
  ['more than 64 KiB', post('application/json', `"${'x'.repeat(65_536)}"`), 413, 'too-large'],
];

it.each(REFUSED)('when it is asked with %s, then that is a problem, and no bug', async (_, bytes, status, code) => {
  const heard = await say(bytes);
  expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  expect(heard).toContain('content-type: application/problem+json\r\n');
  expect(heard).toContain(`"code":"${code}"`);
  expect(logged).toEqual([]);
});

it.each(['application/json', 'Application/JSON; Charset=UTF-8', 'application/json;charset="utf8"'])(
  'when it is JSON as %s, then it is read as it is',
  async (type) => {
    expect(await say(post(type, '{"__proto__":{"a":"\u00e9"}}'))).toContain('{"got":{"__proto__":{"a":"\u00e9"}}}');
  },
);

it('when a body is too large, then the next request on its connection is answered', async () => {
  const heard = await say(post('application/json', `"${'x'.repeat(200_000)}"`) + ask('GET', '/things/7'), 2);
  expect(heard).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 .*\{"id":"7"\}$/s);
});

it('when a handler throws before it awaits anything, then it is a 500 that says nothing of it, and a line in the log', async () => {
  const heard = await say(ask('GET', '/bug'));
  expect(heard).toMatch(/^HTTP\/1\.1 500 .*"code":"internal"/s);
  expect(heard).not.toContain('undone');
  expect(logged).toMatchObject([{ method: 'GET', url: '/bug', err: { message: 'undone' } }]);
});

it('when operations answer, then the routes are not asked', async () => {
  expect(await (await fetch(`http://127.0.0.1:${String(portOf())}/healthz`)).text()).toBe('well');
});
