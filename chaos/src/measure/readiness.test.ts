import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { notReady } from './readiness.js';

let server: Server;
/** By path, one after the other; the last one stands. */
let statuses: Record<string, number[]>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const left = statuses[request.url ?? ''] ?? [];
    response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 404).end('because');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), 'close');
});

function relay(says: Record<string, number[]>, runs = true) {
  statuses = says;
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { name: 'relay-1', url, isRunning: () => runs };
}

describe('a process that runs', () => {
  it('when it is ready and its loops turn, then it is not named', async () => {
    expect(await notReady([relay({ '/readyz': [200], '/healthz': [200] })], 0)).toEqual(new Map());
  });

  it('when it becomes ready within the time, then it is not named either', async () => {
    const late = relay({ '/readyz': [503, 503, 200], '/healthz': [503, 200] });
    expect(await notReady([late], 20_000)).toEqual(new Map());
  });

  it.each([
    ['it never gets ready', { '/readyz': [503], '/healthz': [200] }, '/readyz says 503: because'],
    ['one of its loops stands still', { '/readyz': [200], '/healthz': [503] }, '/healthz says 503: because'],
  ])('when %s, then it is named, and what it says', async (_what, says, why) => {
    expect(await notReady([relay(says)], 0)).toEqual(new Map([['relay-1', why]]));
  });

  it('when it has ended, then nobody waits for it', async () => {
    expect(await notReady([relay({}, false)], 20_000)).toEqual(new Map([['relay-1', 'it does not run']]));
  });
});
