import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';

import { freePort } from '../testkit/free-port.js';
import { createHttp, type Http } from './http.js';

let http: Http;
let port: number;
let handled: string[];
let finish: () => void;
beforeEach(async () => {
  port = await freePort();
  handled = [];
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    handled.push(request.url ?? '');
    if (request.url === '/begun') response.write('a part of it');
    else if (request.url === '/slow') finish = () => response.end('the whole of it');
    else if (request.method === 'GET') response.end('fine');
  };
  http = createHttp({ port, host: '127.0.0.1', handler, slowClientMs: 300 });
  await http.listen.start();
  await http.traffic.start();
});
afterEach(async () => {
  await http.traffic.stop();
  await http.listen.stop();
});

/** Everything that comes until the server closes the connection; `afterwards` is sent when the first of it is here. */
async function answerTo(bytes: string, afterwards = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const got: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => got.push(chunk)).on('error', () => undefined);
  if (afterwards !== '') socket.once('data', () => socket.write(afterwards));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(got).toString();
}

function problemIn(answer: string): unknown {
  const [head = '', body = ''] = answer.slice(answer.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json$/im);
  expect(head).toMatch(/^connection: close$/im);
  expect(Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? -1)).toBe(Buffer.byteLength(body));
  const problem = JSON.parse(body) as { status: number };
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(problem.status)} \\S`));
  return problem;
}

const HOST = 'Host: h\r\n';

describe('what Node would answer by itself is a problem like every other', () => {
  const cases: [string, string, object][] = [
    ['is no HTTP', 'nonsense\r\n\r\n', { status: 400, code: 'malformed' }],
    ['has no Host', 'GET / HTTP/1.1\r\n\r\n', { status: 400, code: 'malformed' }],
    [
      'has larger headers than any server takes',
      `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`,
      { status: 431, code: 'headers-too-large' },
    ],
    ['never ends its headers', `GET / HTTP/1.1\r\n${HOST}`, { status: 408, code: 'too-slow' }],
    ['never ends its body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\n{`, { status: 408, code: 'too-slow' }],
    [
      'has a body that is no body',
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      { status: 400, code: 'malformed' },
    ],
    ['comes behind a good one and is no HTTP', `GET / HTTP/1.1\r\n${HOST}\r\n`, { status: 400, code: 'malformed' }],
  ];

  it.each(cases)('when a request %s, then it is one, and the connection is closed', async (what, bytes, expected) => {
    const more = what.includes('behind') ? 'nonsense\r\n\r\n' : '';
    expect(problemIn(await answerTo(bytes, more))).toMatchObject(expected);
  });

  it('when a request expects what nobody knows, then it is 417 as a problem', async () => {
    const bytes = `GET / HTTP/1.1\r\n${HOST}Connection: close\r\nExpect: a-miracle\r\n\r\n`;
    expect(problemIn(await answerTo(bytes))).toMatchObject({ status: 417, code: 'expectation-failed' });
    expect(handled).toEqual([]);
  });

  it('when an answer is under way, then nothing is written into it', async () => {
    const answer = await answerTo(`POST /begun HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
    expect(answer).toContain('a part of it');
    expect(answer).not.toContain('problem+json');
  });

  it('when a request of HTTP/1.0 has no Host, then it is handled', async () => {
    expect(await answerTo('GET /old HTTP/1.0\r\n\r\n')).toContain('fine');
    expect(handled).toEqual(['/old']);
  });
});

describe('what is half said when the server stops does not keep it', () => {
  const halves: [string, string][] = [
    ['sends nothing', ''],
    ['never ends its headers', `GET / HTTP/1.1\r\n${HOST}`],
    ['never ends its body', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\n{`],
  ];

  it.each(halves)(
    'when a client %s, then the server stops all the same',
    async (_, bytes) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      if (bytes !== '') socket.write(bytes);
      // An answer to another one: by then this one is there.
      expect(await answerTo(`GET / HTTP/1.0\r\n\r\n`)).toContain('fine');
      const closed = once(socket.resume(), 'close');
      await http.traffic.stop();
      await closed;
    },
    2_000,
  );

  it('when an answer is under way, then it is given in full', async () => {
    const half = answerTo(`GET / HTTP/1.1\r\n${HOST}`);
    const answer = answerTo(`GET /slow HTTP/1.1\r\n${HOST}\r\n`);
    while (handled.length === 0) await new Promise(setImmediate);
    const stopped = http.traffic.stop();
    await half; // a request that did not come is cut off sooner than one that is being answered
    finish();
    expect(await answer).toContain('the whole of it');
    await stopped;
  });
});
