import { createServer } from 'node:net';

const NAMES = [
  'ORDER_PORT',
  'INVENTORY_PORT',
  'ORDER_DB_PORT',
  'INVENTORY_DB_PORT',
  'AMQP_PORT',
  'BROKER_PAGE_PORT',
  'TOXIPROXY_PORT',
];
// Below the range that the system takes for outgoing connections: a port must still be free after its container was killed.
const [FIRST, LAST] = [20_000, 32_000];

/** For every port that docker-compose.yml publishes, one that is free now. */
export async function freePorts() {
  const ports = {};
  let next = FIRST + Math.floor(Math.random() * (LAST - FIRST - 100));
  for (const name of NAMES) {
    while (!(await isFree(next))) next += 1;
    ports[name] = String(next++);
  }
  return ports;
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
