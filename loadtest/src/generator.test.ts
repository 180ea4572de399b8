import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Generator, type GeneratorOptions, type LoadSummary } from './generator.js';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const OPTIONS = {
  rate: 500,
  warmUpSeconds: 0.2,
  seconds: 0.2,
  connections: 16,
  timeoutMs: 5_000,
  retries: 0,
  order: (index: number) => ({ productId: 1, quantity: 1, key: `order-${String(index)}` }),
};

const generate = (url: string, options: Partial<GeneratorOptions> = {}): Promise<LoadSummary> =>
  new Generator({ ...OPTIONS, url, ...options }).run();

describe('the generator', () => {
  it('when every order is answered, then each was sent once and only those after the warm-up count for latency', async () => {
    const keys: unknown[] = [];
    const url = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.writeHead(201).end('{}');
    });
    const summary = await generate(url);
    expect(summary).toMatchObject({ planned: 150, attempted: 150, ok: 150, fail: 0, info: 0, failed: [], unknown: [] });
    expect(new Set(keys).size).toBe(150);
    expect(keys).toHaveLength(150);
    expect(summary.latencyMs.count).toBe(100);
    expect(summary.latenessMs.count).toBe(100);
  });

  it('when its connections are opened first, then the load makes no new one, however many answers it waits for', async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      const isOrder = request.method === 'POST';
      if (!isOrder) sockets.add(request.socket);
      else if (!sockets.has(request.socket)) response.writeHead(503);
      setTimeout(() => response.end('{}'), isOrder ? 20 : 0); // eslint-disable-line no-restricted-syntax -- the slow service is what is tested
    });
    const generator = new Generator({ ...OPTIONS, url });
    await generator.open();
    expect(sockets.size).toBe(OPTIONS.connections);
    expect(await generator.run()).toMatchObject({ ok: 150 });
  });

  it('when the service does not answer at all, then opening gives up at the time-out and the load still comes', async () => {
    const url = await serve((request, response) => {
      if (request.method === 'POST') response.writeHead(201).end('{}');
    });
    const generator = new Generator({ ...OPTIONS, url, timeoutMs: 300 });
    await generator.open();
    expect(await generator.run()).toMatchObject({ ok: 150 });
  });

  it('when the service answers late on few connections, then no order is left out and latency counts from the due time', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((_request, response) => {
      // Answers only once the whole load is due.
      waiting.push(() => response.writeHead(201).end('{}'));
      if (performance.now() - startedMs > 400) for (const answer of waiting.splice(0)) answer();
      else if (waiting.length === 1) setTimeout(() => waiting.splice(0).forEach((answer) => answer()), 400); // eslint-disable-line no-restricted-syntax -- the slow service is what is tested
    });
    const startedMs = performance.now();
    const summary = await generate(url, { connections: 4, warmUpSeconds: 0 });
    expect(summary).toMatchObject({ attempted: 100, ok: 100 });
    expect(summary.latencyMs.p50).toBeGreaterThan(200);
    expect(summary.latenessMs.p50).toBeGreaterThan(200);
  });

  it('when answers are refusals, errors and broken connections, then they are told apart and named', async () => {
    const url = await serve((request, response) => {
      const index = Number(String(request.headers['idempotency-key']).slice('order-'.length));
      if (index === 3) request.socket.destroy();
      else if (index === 4) response.writeHead(503).end('{"code":"not-accepted"}');
      else if (index === 5) response.writeHead(503).end('{"code":"outcome-unknown"}');
      else response.writeHead(201).end(`{"id":"id_${String(index)}"}`);
    });
    const ids = new Map<number, string | null>();
    const summary = await generate(url, { onEnd: ({ index, orderId }) => ids.set(index, orderId) });
    expect(summary).toMatchObject({ attempted: 150, ok: 147, fail: 1, info: 2, failed: [4], unknown: [3, 5] });
    expect([2, 3, 4, 5, 6].map((index) => ids.get(index))).toEqual(['id_2', null, null, null, 'id_6']);
  });

  it('when nobody listens, then every order certainly failed', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await generate(url)).toMatchObject({ attempted: 150, ok: 0, fail: 150, info: 0 });
  });

  it('when the load is quiet for a while, then nothing is due meanwhile, what comes after is due later, and the rate is without it', async () => {
    const url = await serve((_request, response) => response.writeHead(201).end('{}'));
    const sentAtMs: number[] = [];
    const summary = await generate(url, {
      warmUpSeconds: 0,
      quiet: { fromMs: 100, forMs: 300 },
      onEnd: ({ latencyMs, atMs }) => sentAtMs.push(atMs - latencyMs),
    });
    expect(summary).toMatchObject({ attempted: 100, ok: 100 });
    expect(sentAtMs.filter((dueMs) => dueMs > 99 && dueMs < 399)).toEqual([]);
    expect(sentAtMs.filter((dueMs) => dueMs >= 399)).toHaveLength(50);
    expect(summary.rate).toBeGreaterThan(400);
  });

  it.each([
    ['nothing a second', { rate: 0 }],
    ['for less than an order takes', { rate: 1, warmUpSeconds: 0 }],
  ])('when so little is asked for that nothing is planned (%s), then it ends at once', async (_what, options) => {
    const summary = await generate('http://127.0.0.1:1', options);
    expect(summary).toMatchObject({ planned: 0, attempted: 0, ok: 0, fail: 0, info: 0, rate: 0 });
  });

  it('when unknown orders are repeated, then they come with the same key and end ok', async () => {
    const keys: string[] = [];
    const url = await serve((request, response) => {
      const key = String(request.headers['idempotency-key']);
      keys.push(key);
      if (key === 'order-2' && keys.filter((each) => each === key).length < 3) request.socket.destroy();
      else response.writeHead(201).end('{}');
    });
    expect(await generate(url, { retries: 3 })).toMatchObject({ attempted: 150, ok: 150 });
    expect(keys.filter((key) => key === 'order-2')).toHaveLength(3);
  });
});
