import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as rest } from 'node:timers/promises';

import { request } from 'undici';

import { Gentle, type GentleOptions } from './gentle.js';

const RESTOCK_EVERY_MS = 20_000;
const TELL_EVERY_MS = 60_000;
const ANSWER_MS = 10_000;

const ask: GentleOptions['ask'] = async (method, url, body, key) => {
  try {
    const answer = await request(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { status: 0, body: {} };
  }
};

async function main(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort());
  const { signal } = stopping;
  const pause = (ms: number): Promise<unknown> => rest(ms, undefined, { signal }).catch(() => undefined);
  const gentle = new Gentle({
    orderUrl: process.env['ORDER_URL'] ?? 'http://127.0.0.1:3001',
    inventoryUrl: process.env['INVENTORY_URL'] ?? 'http://127.0.0.1:3002',
    ask,
    random: Math.random,
    newKey: () => `gentle-${randomUUID()}`,
  });
  answerHealth(gentle, Number(process.env['PORT'] ?? '3004'));
  const everyMs = 1_000 / Number(process.env['ORDERS_PER_SECOND'] ?? '2');
  while (!signal.aborted && !(await gentle.openShop())) await pause(1_000);
  const repeat = async (ms: number, act: () => Promise<void> | void): Promise<void> => {
    while (!signal.aborted) {
      await act();
      await pause(ms);
    }
  };
  const say = (): void => console.log(JSON.stringify({ time: Date.now(), name: 'gentle-load', ...gentle.counts }));
  await Promise.all([
    repeat(everyMs, () => gentle.placeOne()),
    repeat(RESTOCK_EVERY_MS, () => gentle.restock()),
    pause(TELL_EVERY_MS).then(() => repeat(TELL_EVERY_MS, say)),
  ]);
}

/** Well while its last order was answered: for the health check of a container. */
function answerHealth(gentle: Gentle, port: number): void {
  createServer((_, response) => {
    response.writeHead(gentle.isWell ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify(gentle.counts));
  }).listen(port, '127.0.0.1');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
