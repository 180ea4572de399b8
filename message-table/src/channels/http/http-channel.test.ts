import { eventually } from '../../testkit/eventually.js';
import { CONFIRMED } from '../outcome.js';
import {
  recordingReceiver,
  rawReceiver,
  httpReceiver,
  tcpReceiver,
  dribble,
  type Receiver,
} from './testing/receiver.js';
import { channelTo, hostPort, outgoing } from './testing/sending.js';
import type { Lookup } from './vetted-addresses.js';

const at = (...addresses: string[]): Lookup =>
  jest.fn(() => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))));
const refusedForGood = { kind: 'refused', permanent: true };
const toRetry = { kind: 'refused', permanent: false };
const trouble = { kind: 'unknown', suspect: false };

describe('Where a message may go', () => {
  it('SSRF-01: when a name would resolve differently the second time, then it is asked once and that address is used', async () => {
    await using vetted = await httpReceiver((request, response) => response.end(request.headers.host));
    await using sink = await httpReceiver((_, response) => response.end(), '127.0.0.2', vetted.port);
    const lookup = jest.fn(at('127.0.0.2')).mockImplementationOnce(at('127.0.0.1'));
    const name = `receiver.test:${vetted.port}`;
    await expect(channelTo([name], { lookup }).send(outgoing({ url: `http://${name}/` }))).resolves.toEqual(CONFIRMED);
    expect([lookup.mock.calls.length, vetted.connections(), sink.connections()]).toEqual([1, 1, 0]);
  });

  it('SSRF-01: when a name has one public and one private address, then nothing is sent', async () => {
    await using sink = await httpReceiver((_, response) => response.end());
    const name = `receiver.test:${sink.port}`;
    for (const addresses of [['93.184.216.34', '127.0.0.1'], ['127.0.0.1'], ['::ffff:127.0.0.1'], ['localhost']]) {
      const channel = channelTo([name], { allowPrivate: [], lookup: at(...addresses) });
      await expect(channel.send(outgoing({ url: `http://${name}/` }))).resolves.toMatchObject(refusedForGood);
    }
    expect(sink.connections()).toBe(0);
  });

  it('SSRF-01: when the URL names an address or host that is not allowed, then nothing is sent', async () => {
    await using sink = await httpReceiver((_, response) => response.end());
    const literal = `127.0.0.1:${sink.port}`;
    const send = (url: string, allow: string[]): unknown =>
      channelTo(allow, { allowPrivate: [] }).send(outgoing({ url }));
    await expect(send(`http://${literal}/`, [literal])).resolves.toEqual({
      ...refusedForGood,
      reason: `${literal} is not in HTTP_ALLOW_PRIVATE, and its address 127.0.0.1 is loopback`,
    });
    await expect(send(`http://2130706433:${sink.port}/`, [literal])).resolves.toMatchObject(refusedForGood);
    await expect(send(`http://${literal}/`, [])).resolves.toMatchObject({ reason: `${literal} is not in HTTP_ALLOW` });
    await expect(send(`http://localhost:${sink.port}/`, [literal])).resolves.toMatchObject(refusedForGood);
    expect(sink.connections()).toBe(0);
  });

  it('SSRF-01: when a name cannot be resolved, then it fails closed and is tried again', async () => {
    const failing: Lookup = () => Promise.reject(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }));
    for (const lookup of [failing, at()]) {
      const sent = channelTo(['receiver.test:80'], { lookup }).send(outgoing({ url: 'http://receiver.test/' }));
      await expect(sent).resolves.toMatchObject(trouble);
    }
  });

  it('SSRF-01: when the connection goes to the vetted address, then Host and the name in TLS stay the name', async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const name = `receiver.test:${receiver.port}`;
    const lookup = at('127.0.0.1');
    await channelTo([name], { lookup }).send(outgoing({ url: `http://${name}/` }));
    expect(seen[0]?.headers.host).toBe(name);

    let hello = '';
    await using tls = await tcpReceiver((socket, first) => {
      hello = first.toString('latin1');
      socket.end();
    });
    const secure = `receiver.test:${tls.port}`;
    const sent = channelTo([secure], { lookup }).send(outgoing({ url: `https://${secure}/` }));
    await expect(sent).resolves.toMatchObject(trouble);
    expect(hello).toContain('receiver.test');
  });

  it.each([301, 302, 303, 307, 308])(
    'SSRF-02: when the answer is %d, then it is not followed and the message refused for good (design)',
    async (status) => {
      await using sink = await httpReceiver((_, response) => response.end());
      await using receiver = await httpReceiver((request, response) =>
        response.writeHead(status, { location: request.url === '/loop' ? '/loop' : sink.url }).end(),
      );
      const channel = channelTo([hostPort(receiver.url), hostPort(sink.url)]);
      for (const url of [receiver.url, new URL('/loop', receiver.url).href]) {
        const reason = `${hostPort(url)} answered ${status}`;
        await expect(channel.send(outgoing({ url }))).resolves.toEqual({ ...refusedForGood, reason });
      }
      expect([receiver.connections(), sink.connections()]).toEqual([2, 0]);
    },
  );
});

describe('How long an attempt may take', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n';
  const send = ({ url }: Receiver): unknown =>
    channelTo([hostPort(url)], { attemptTimeoutMs: 1_000 }).send(outgoing({ url }));

  it.each([
    ['200 OK', CONFIRMED],
    ['422 No', refusedForGood],
    ['500 Oh', toRetry],
    ['503 Later', { ...trouble, pauseMs: 7_000 }],
  ])(
    'WH-01: when %s comes at once and then a byte of its body now and then, then the status counts at the deadline and the line is cut',
    async (status, ending) => {
      let [opened, closed] = [0, 0];
      await using receiver = await tcpReceiver((socket) => {
        opened += 1;
        socket.write(`HTTP/1.1 ${status}\r\nRetry-After: 7\r\nContent-Length: 4000\r\n\r\n`);
        dribble(socket, 100);
        socket.on('close', () => (closed += 1));
      });
      const all = await Promise.all(Array.from({ length: 10 }, () => send(receiver)));
      expect(all).toMatchObject(Array(10).fill(ending));
      await eventually(() => opened === 10 && closed === opened);
    },
  );

  it('WH-01: when the body of a 200 never begins, then the message is taken', async () => {
    await using receiver = await tcpReceiver((socket) => socket.write(HEAD));
    await expect(send(receiver)).resolves.toEqual(CONFIRMED);
  });

  it.each(['', 'HTTP/1.1 200', 'HTTP/1.1 404 No\r\nContent-Length: 9\r\n', 'HTTP/1.1 102 Wait\r\n\r\n'])(
    'WH-01: when the receiver falls silent after %j, then the attempt ends unknown at the deadline',
    async (bytes) => {
      await using receiver = await tcpReceiver((socket) => socket.write(bytes));
      await expect(send(receiver)).resolves.toMatchObject(trouble);
    },
  );

  it('WH-01: when the connection is never made, then the attempt ends unknown at the deadline and the line is cut', async () => {
    let [opened, closed] = [0, 0];
    await using receiver = await tcpReceiver((socket) => {
      opened += 1;
      socket.on('close', () => (closed += 1)).resume();
    });
    const url = receiver.url.replace('http:', 'https:');
    const channel = channelTo([hostPort(url)], { attemptTimeoutMs: 1_000 });
    await expect(channel.send(outgoing({ url }))).resolves.toMatchObject(trouble);
    await eventually(() => opened === 1 && closed === 1);
  });

  it('WH-01: when the look-up never ends, then the attempt does', async () => {
    const lookup: Lookup = () => new Promise(() => undefined);
    const channel = channelTo(['receiver.test:80'], { lookup, attemptTimeoutMs: 200 });
    await expect(channel.send(outgoing({ url: 'http://receiver.test/' }))).resolves.toMatchObject(trouble);
  });
});

describe('How many requests a host has at once', () => {
  it('when a host does not answer, then it has so many at most, the rest is not sent and blames nobody, and others are sent', async () => {
    await using silent = await httpReceiver(() => undefined);
    await using quick = await httpReceiver((_, response) => response.end());
    const channel = channelTo([silent.url, quick.url].map(hostPort), { perHost: 2, attemptTimeoutMs: 1_000 });
    const sent = Array.from({ length: 6 }, () => channel.send(outgoing({ url: silent.url })));
    await expect(channel.send(outgoing({ url: quick.url }))).resolves.toEqual(CONFIRMED);
    const outcomes = await Promise.all(sent);
    const unsent = { ...trouble, unsent: 'busy', reason: `Enough requests to ${hostPort(silent.url)} are under way` };
    expect(outcomes).toMatchObject([trouble, trouble, ...Array<object>(4).fill(unsent)]);
    expect(silent.connections()).toBe(2);
  });

  it('when a host is quick, then a burst goes out through its few places', async () => {
    let [now, most] = [0, 0];
    await using receiver = await httpReceiver((_, response) => {
      most = Math.max(most, (now += 1));
      response.on('close', () => (now -= 1)).end();
    });
    const channel = channelTo([hostPort(receiver.url)], { perHost: 5, attemptTimeoutMs: 30_000 });
    const sent = Array.from({ length: 100 }, () => channel.send(outgoing({ url: receiver.url })));
    expect(new Set(await Promise.all(sent))).toEqual(new Set([CONFIRMED]));
    expect(most).toBeLessThanOrEqual(5);
  });
});

describe('What an answer means', () => {
  const endings: readonly (readonly [expected: object, ...statuses: number[]])[] = [
    [CONFIRMED, 200, 201, 202, 204],
    [refusedForGood, 301, 304, 400, 401, 404, 409, 410, 413, 422],
    [toRetry, 408, 425, 500, 501, 599],
    [trouble, 429, 502, 503, 504],
  ];

  for (const [ending, ...statuses] of endings) {
    it.each(statuses)(
      `WH-03: when the answer is %d, then the outcome is ${JSON.stringify(ending)} (design)`,
      async (status) => {
        await using receiver = await httpReceiver((_, response) => response.writeHead(status).end());
        const sent = channelTo([hostPort(receiver.url)]).send(outgoing({ url: receiver.url }));
        await expect(sent).resolves.toMatchObject(ending);
      },
    );
  }

  it.each([
    ['HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', toRetry],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', toRetry],
    ['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nabcde', toRetry],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', toRetry],
    ['HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n', toRetry],
    ['HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', toRetry],
    ['SSH-2.0-OpenSSH_9.6\r\n', toRetry],
    [`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`, toRetry],
    ['', trouble],
    ['HTTP/1.1 20', trouble],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345', trouble],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123', trouble],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', toRetry],
    ['HTTP/1.1 200 OK\r\n\r\nuntil the end of the line', CONFIRMED],
  ])('WH-03: when the raw answer is %j, then the outcome is %j', async (bytes, ending) => {
    await using receiver = await rawReceiver(bytes);
    const sent = channelTo([hostPort(receiver.url)]).send(outgoing({ url: receiver.url }));
    await expect(sent).resolves.toMatchObject(ending);
  });

  it('WH-03: when there is no connection, a reset or no TLS, then the outcome is unknown (design)', async () => {
    const gone = await rawReceiver('');
    await gone[Symbol.asyncDispose]();
    await using resetting = await tcpReceiver((socket) => socket.resetAndDestroy());
    await using plain = await httpReceiver((_, response) => response.end());
    for (const url of [gone.url, resetting.url, plain.url.replace('http:', 'https:')]) {
      await expect(channelTo([hostPort(url)]).send(outgoing({ url }))).resolves.toMatchObject(trouble);
    }
  });

  it('WH-03: when another request to the host succeeded lately, then its trouble uses an attempt', async () => {
    await using receiver = await httpReceiver(({ url }, response) =>
      response.writeHead(url === '/ok' ? 200 : 503).end(),
    );
    const send = async (breakerWindowMs: number): Promise<unknown[]> => {
      const channel = channelTo([hostPort(receiver.url)], { breakerWindowMs });
      const before = await channel.send(outgoing({ url: receiver.url }));
      await channel.send(outgoing({ url: new URL('/ok', receiver.url).href }));
      return [before, await channel.sendAlone(outgoing({ url: receiver.url }))];
    };
    await expect(send(60_000)).resolves.toMatchObject([trouble, toRetry]);
    await expect(send(-1)).resolves.toMatchObject([trouble, trouble]);
  });

  it('WH-02: when the receiver asks for a rest, then the outcome carries it, bounded; rubbish is left out', async () => {
    const asked: Record<string, string[]> = {
      '/7': ['7'],
      '/many': ['9999999999'],
      '/two': ['2', '1'],
      '/soon': ['soon'],
    };
    await using receiver = await httpReceiver(({ url = '' }, response) =>
      response
        .setHeader('retry-after', asked[url] ?? [])
        .writeHead(429)
        .end(),
    );
    const outcomes = Object.keys(asked).map((path) =>
      channelTo([hostPort(receiver.url)]).send(outgoing({ url: new URL(path, receiver.url).href })),
    );
    const pauses = (await Promise.all(outcomes)).map((outcome) => ('pauseMs' in outcome ? outcome.pauseMs : 'none'));
    expect(pauses).toEqual([7_000, 3_600_000, 2_000, 'none']);
  });
});
