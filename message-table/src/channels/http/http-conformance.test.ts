import { channelConformance } from '../../testkit/conformance/index.js';
import { httpReceiver } from './testing/receiver.js';
import { channelTo, hostPort } from './testing/sending.js';
import type { Arrived } from '../../testkit/conformance/index.js';

const ATTEMPT_TIMEOUT_MS = 1_000;

channelConformance('http', async () => {
  const arrived: Arrived[] = [];
  let silent = false;
  const receiver = await httpReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (silent) return;
      if (request.url === '/no') return response.writeHead(422).end();
      const { 'idempotency-key': key, ...headers } = request.headers;
      arrived.push({ messageId: String(key), content: Buffer.concat(chunks).toString('utf8'), headers });
      return response.end();
    });
  });
  return {
    channel: channelTo([hostPort(receiver.url)], { attemptTimeoutMs: ATTEMPT_TIMEOUT_MS }),
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    taken: { url: receiver.url },
    refused: { url: new URL('/no', receiver.url).href },
    silence: () => {
      silent = true;
    },
    arrived: () => Promise.resolve(arrived),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
});
