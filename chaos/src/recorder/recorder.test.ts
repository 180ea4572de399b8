import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PASS } from './manner.js';
import { Recorder } from './recorder.js';
import { refusedForGood, sentTo, takenBy } from './seen-request.js';

let receiver: Server;
let received: IncomingMessage[];
let recorder: Recorder;

const urlOf = (server: Server): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

beforeEach(async () => {
  received = [];
  receiver = createServer((request, response) => {
    received.push(request);
    request.resume().once('end', () => response.writeHead(202, { 'x-says': 'receiver' }).end('kept'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = urlOf(receiver);
  recorder = await Recorder.open(() => [url]);
});
afterEach(async () => {
  await recorder.close();
  receiver.closeAllConnections();
  receiver.close();
});

const post = (messageId: string, { path = '/deductions', ...init }: RequestInit & { path?: string } = {}) =>
  fetch(recorder.url + path, {
    method: 'POST',
    body: '{}',
    redirect: 'manual',
    headers: { 'idempotency-key': messageId, 'x-attempt': '7:1' },
    ...init,
  });

describe('the recorder', () => {
  it('when it passes a request on, then the receiver gets it as it is, the sender its answer, and both are written down', async () => {
    const answer = await post('m1');
    expect([answer.status, answer.headers.get('x-says'), await answer.text()]).toEqual([202, 'receiver', 'kept']);
    expect(received).toMatchObject([{ url: '/deductions', headers: { 'idempotency-key': 'm1', 'x-attempt': '7:1' } }]);
    expect(recorder.seen).toMatchObject([{ messageId: 'm1', attempt: '7:1', answered: 202 }]);
    expect(takenBy(recorder.seen)).toEqual(new Map([['m1', 1]]));
  });

  it('when it answers itself, then nothing reaches the receiver, and the effect is counted until it passes again', async () => {
    recorder.behave({ kind: 'answer', status: 503 });
    const answer = await post('m1');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(recorder.behave(PASS)).toEqual({ answered503: 1 });
    expect((await post('m1')).status).toBe(202);
    expect(recorder.behave(PASS)).toEqual({});
    expect(received).toHaveLength(1);
    expect([sentTo(recorder.seen).get('m1'), takenBy(recorder.seen).get('m1')]).toEqual([2, 1]);
  });

  it('when it redirects, then the message is refused for good by name, and following would deliver it', async () => {
    recorder.behave({ kind: 'answer', status: 307 });
    const answer = await post('m1');
    expect(answer.status).toBe(307);
    expect(refusedForGood(recorder.seen)).toEqual(new Set(['m1']));
    expect((await post('m1', { path: answer.headers.get('location') ?? '' })).status).toBe(202);
    expect(received).toHaveLength(1);
  });

  it('when it holds answers and the sender gives up, then the work is done and nobody was answered', async () => {
    recorder.behave({ kind: 'hold', holdMs: 200 });
    await expect(post('m1', { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    expect((await post('m2')).status).toBe(202);
    expect(received).toHaveLength(2);
    expect(recorder.behave(PASS)).toEqual({ answersHeld: 2, sendersGone: 1 });
    expect(recorder.seen.map(({ answered }) => answered)).toEqual([null, 202]);
    expect(takenBy(recorder.seen)).toEqual(new Map([['m2', 1]]));
  });

  it('when there is no receiver, then the line is cut, and the sender got no answer', async () => {
    receiver.close();
    await once(receiver, 'close');
    await expect(post('m1')).rejects.toThrow();
    expect(recorder.seen).toMatchObject([{ messageId: 'm1', answered: null }]);
  });
});
