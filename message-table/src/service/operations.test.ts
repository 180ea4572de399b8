import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Registry } from 'prom-client';

import { createOperations } from './operations.js';

it('when requests are answered, then they are counted by status, and those for health are not', async () => {
  const registry = new Registry();
  const operations = createOperations({ loops: [], readiness: [() => 'a database'], registry });
  const server = createServer((request, response) => {
    if (operations(request, response)) return;
    response.statusCode = request.url === '/orders' ? 201 : 404;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ask = async (path: string): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${String(port)}${path}`)).text();
  };
  for (const path of ['/orders', '/healthz', '/readyz', '/orders', '/elsewhere', '/metrics']) await ask(path);
  expect((await ask('/metrics')).split('\n').filter((line) => line.startsWith('counterfoil_http'))).toEqual([
    'counterfoil_http_answers_total{status="500"} 0',
    'counterfoil_http_answers_total{status="503"} 0',
    'counterfoil_http_answers_total{status="201"} 2',
    'counterfoil_http_answers_total{status="404"} 1',
  ]);
  server.closeAllConnections();
  server.close();
});
