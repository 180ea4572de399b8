'use strict';

// A producer and a relay in a process of their own. Accepts one message for later and one for now, and ends when the
// second was sent: {ids, now, zoneMin}.
const { createEvents, createMessageTable, createRelay, openDatabase, runInTransaction } = require(
  process.env.COMPONENT,
);

const channel = {
  name: 'rabbitmq',
  isUp: () => true,
  checkConfig: (config) => ({ ...config, channelConfig: null }),
  destinationOf: () => 'here',
  send: confirm,
  sendAlone: confirm,
};
const sent = [];
let whenSent = () => undefined;

async function confirm({ messageId }) {
  sent.push(messageId);
  whenSent();
  return { kind: 'confirmed' };
}

async function main() {
  const db = openDatabase({ url: process.env.DATABASE_URL, events: createEvents() });
  const retry = { retryBaseMs: 2000, retryMaxMs: 60_000, unknownPauseMs: 2000 };
  const common = { db, channels: [channel], processName: 'shifted', retry, leaseMs: 30_000, attemptTimeoutMs: 2000 };
  const table = createMessageTable({ ...common, maxContentBytes: 10_000, maxRetryCount: 5, fastPathPlaces: 0 });
  const relay = createRelay({ ...common, rate: 0, batch: 10, pollMs: 20, byteBudget: 1e6 });
  for (const service of [...table.services, ...relay]) await service.start();
  while (!ready(table)) await new Promise((resolve) => setImmediate(resolve));
  const command = { taskName: 't', channel: 'rabbitmq', config: { exchange: 'e', routingKey: 'r' }, content: {} };
  const nowSent = new Promise((resolve) => (whenSent = () => sent.includes('now') && resolve()));
  const accept = (more) => runInTransaction(db, (trx) => table.acceptor.accept(trx, { ...command, ...more }));
  const later = await accept({ messageId: 'later', delayMs: 60_000 });
  const now = await accept({ messageId: 'now' });
  await nowSent;
  for (const service of [...relay, ...table.services.toReversed()]) await service.stop();
  await db.close();
  return { ids: [later.id, now.id], now: Date.now(), zoneMin: new Date().getTimezoneOffset(), sent };
}

function ready(table) {
  try {
    return table.newId() !== '';
  } catch {
    return false;
  }
}

main().then((facts) => process.stdout.write(JSON.stringify(facts)));
