'use strict';

// A service in a process of its own that stores an order and its message, and dies of SIGKILL the moment COMMIT has
// returned: before the fast path is handed the message.
const component = require(process.env.COMPONENT);

async function main() {
  const { DATABASE_URL: url, BROKER_URL: urls, EXCHANGE: exchange, ROUTING_KEY: routingKey } = process.env;
  const events = component.createEvents();
  const db = component.openDatabase({ url, events });
  const common = { events, deadlineMs: 5000, attemptTimeoutMs: 2000 };
  const topology = { exchanges: [{ name: exchange, type: 'direct' }], queues: [], bindings: [] };
  const channel = component.createRabbitChannel({
    ...common,
    urls,
    topology,
    heartbeatS: 10,
    connectionName: 'killed',
  });
  channel.start();
  const table = component.createMessageTable({
    ...{ db, channels: [channel], processName: 'killed', leaseMs: 30_000, attemptTimeoutMs: 2000 },
    ...{ maxContentBytes: 10_000, maxRetryCount: 5, fastPathPlaces: 10 },
    retry: { retryBaseMs: 2000, retryMaxMs: 60_000, unknownPauseMs: 2000 },
  });
  for (const service of table.services) await service.start();
  while (!channel.isUp() || !ready(table)) await new Promise((resolve) => setTimeout(resolve, 5));
  await component.runInTransaction(db, async (trx) => {
    await trx.raw('INSERT INTO shop_order VALUES (1)');
    component.afterCommit(trx, () => process.kill(process.pid, 'SIGKILL'));
    const config = { exchange, routingKey };
    await table.acceptor.accept(trx, { messageId: 'm1', taskName: 't', channel: 'rabbitmq', config, content: {} });
  });
}

function ready(table) {
  try {
    return table.newId() !== '';
  } catch {
    return false;
  }
}

void main();
