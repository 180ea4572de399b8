import { createGzip } from 'node:zlib';

import { CONFIRMED } from '../outcome.js';
import { flood, recordingReceiver, tcpReceiver } from './testing/receiver.js';
import { channelTo, hostPort, outgoing } from './testing/sending.js';

describe('What is sent', () => {
  it('WH-04: when the first attempt is not answered in time, then the second has the same key and the same bytes', async () => {
    const { receiver, seen } = await recordingReceiver(['never', 200]);
    await using _ = receiver;
    const channel = channelTo([hostPort(receiver.url)], { attemptTimeoutMs: 1_500 });
    const message = outgoing({ url: receiver.url });
    await expect(channel.send(message)).resolves.toMatchObject({ kind: 'unknown' });
    await expect(channel.send({ ...message, version: 5 })).resolves.toEqual(CONFIRMED);
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['message-1', 'message-1']);
    expect(seen.map(({ headers }) => headers['x-attempt'])).toEqual(['7001:3', '7001:5']);
    expect(seen.map(({ body }) => body.toString())).toEqual([message.content, message.content]);
  });

  it('WH-04: when the configuration has headers that are not its to set, then the message is refused and nothing sent (design)', async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    for (const headers of [{ 'idempotency-key': 'x' }, { Host: 'evil' }, { 'Content-Length': '1' }]) {
      const sent = channelTo([hostPort(receiver.url)]).send(outgoing({ url: receiver.url, headers }));
      await expect(sent).resolves.toMatchObject({ kind: 'refused', permanent: true });
    }
    expect([seen.length, receiver.connections()]).toEqual([0, 0]);
  });

  it("WH-04: when the message's own headers name ours, then ours are sent and only the trace goes along", async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { Traceparent: trace, 'Idempotency-Key': 'x', host: 'evil', 'x-attempt': 'x', 'x-internal': 'x' };
    const config = { url: `${receiver.url}?a=1`, method: 'PUT', headers: { 'X-Tenant': 'seven' } };
    await channelTo([hostPort(receiver.url)]).send(outgoing(config, { headers }));
    const [{ method, url, headers: got } = { method: '', url: '', headers: {} }] = seen;
    expect({ method, url, ...got }).toEqual({
      method: 'PUT',
      url: '/hook?a=1',
      host: hostPort(receiver.url),
      connection: 'close',
      'content-length': String(Buffer.byteLength(outgoing({}).content)),
      'content-type': 'application/json',
      'idempotency-key': 'message-1',
      'x-attempt': '7001:3',
      'x-created': '1795000000123',
      'x-tenant': 'seven',
      traceparent: trace,
    });
  });

  it('when the configuration has a content-type, then it is sent instead of application/json', async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const headers = { 'Content-Type': 'application/cloudevents+json' };
    await channelTo([hostPort(receiver.url)]).send(outgoing({ url: receiver.url, headers }));
    expect(seen.map(({ headers: got }) => got['content-type'])).toEqual(['application/cloudevents+json']);
  });

  it('when an authorization is named, then its value is sent, looked up at each attempt, and in no reason', async () => {
    const { receiver, seen } = await recordingReceiver([200, 401, 500, 'never']);
    await using _ = receiver;
    let rotation = 0;
    const secrets = (name: string): string => `Bearer ${name}-s3cr3t-${(rotation += 1)}`;
    const channel = channelTo([hostPort(receiver.url)], { secrets, attemptTimeoutMs: 1_500 });
    const message = outgoing({ url: receiver.url, authorization: 'secret:HOOK' });
    const outcomes = [];
    for (let attempt = 0; attempt < 4; attempt += 1) outcomes.push(await channel.send(message));
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(
      [1, 2, 3, 4].map((count) => `Bearer HOOK-s3cr3t-${count}`),
    );
    expect(JSON.stringify(outcomes)).not.toContain('s3cr3t');
  });

  it.each([undefined, '', 'Bearer s3cr3t\r\nhost: evil', 'throws'])(
    'when the secret is %j, then nothing is sent, the message waits without an attempt used and no reason quotes it',
    async (value) => {
      const { receiver } = await recordingReceiver([200]);
      await using _ = receiver;
      const secrets = (): string | undefined => {
        if (value === 'throws') throw new Error('s3cr3t');
        return value;
      };
      const message = outgoing({ url: receiver.url, authorization: 'secret:HOOK' });
      await expect(channelTo([hostPort(receiver.url)], { secrets }).send(message)).resolves.toEqual({
        kind: 'unknown',
        suspect: false,
        unsent: 'lacking',
        reason: 'Secret HOOK is missing or unusable',
        pauseMs: 60_000,
      });
      expect(receiver.connections()).toBe(0);
    },
  );

  it('when the secret comes later, then the next attempt is sent with it; a young message is tried again soon', async () => {
    const { receiver, seen } = await recordingReceiver([200]);
    await using _ = receiver;
    const secrets = new Map<string, string>();
    const channel = channelTo([hostPort(receiver.url)], { secrets: (name) => secrets.get(name) });
    const createdMs = Date.now() - 3_000;
    const message = outgoing({ url: receiver.url, authorization: 'secret:HOOK' }, { createdMs });
    const { pauseMs = 0 } = (await channel.send(message)) as { pauseMs?: number };
    expect(Math.round(pauseMs / 1_000)).toBe(3);
    secrets.set('HOOK', 'Bearer s3cr3t');
    await expect(channel.send(message)).resolves.toEqual(CONFIRMED);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cr3t']);
  });
});

describe('How much of an answer is read', () => {
  const ZEROS = Buffer.alloc(64 * 1024);
  const MB = 1024 * 1024;

  async function gzipped(): Promise<Buffer> {
    const gzip = createGzip();
    for (let count = 0; count < 1600; count += 1) gzip.write(ZEROS);
    gzip.end();
    return Buffer.concat((await gzip.toArray()) as Buffer[]);
  }

  it.each([
    ['endless body', '200 OK', '', CONFIRMED],
    ['endless body', '500 Oh', '', { kind: 'refused', permanent: false }],
    ['body longer than its Content-Length', '200 OK', 'Content-Length: 10\r\n', CONFIRMED],
    ['body longer than its Content-Length', '500 Oh', 'Content-Length: 10\r\n', { kind: 'refused', permanent: false }],
    ['body of gigabytes', '200 OK', `Content-Length: ${5000 * MB}\r\n`, CONFIRMED],
    ['gzip bomb', '200 OK', 'Content-Encoding: gzip\r\n', CONFIRMED],
  ])(
    'WH-05: when a %s comes after %s, then the status counts and little is read',
    async (what, status, head, ending) => {
      const chunk = what === 'gzip bomb' ? await gzipped() : ZEROS;
      let handedOver: Promise<number> = Promise.resolve(0);
      await using receiver = await tcpReceiver((socket) => {
        socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n`);
        handedOver = flood(socket, chunk);
      });
      const beforeBytes = process.memoryUsage().rss;
      const outcome = await channelTo([hostPort(receiver.url)]).send(outgoing({ url: receiver.url }));
      expect(outcome).toMatchObject(ending);
      if ('reason' in outcome) expect(outcome.reason.length).toBeLessThan(200);
      // What the kernel's buffers of both ends hold is handed over too.
      expect(await handedOver).toBeLessThan(30 * MB);
      expect(process.memoryUsage().rss - beforeBytes).toBeLessThan(50 * MB);
    },
  );

  it('WH-05: when the body is as long as the bound or longer by a byte, then the status counts as well', async () => {
    for (const bytes of [8, 9]) {
      await using receiver = await tcpReceiver((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n\r\n${'.'.repeat(bytes)}`),
      );
      const channel = channelTo([hostPort(receiver.url)], { maxAnswerBytes: 8 });
      await expect(channel.send(outgoing({ url: receiver.url }))).resolves.toEqual(CONFIRMED);
    }
  });
});
