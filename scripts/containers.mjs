// The demo on containers, really: up from nothing, an order, more relays, every container killed in turn under load, the
// books, a clean stop, down and up again. Needs Docker and `npm run build`; DB_IMAGE and BROKER_IMAGE choose the servers.
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { bookProblems, createLoad } from './containers/books.mjs';
import { Compose, docker } from './containers/compose.mjs';
import { killEach, untilHealthy } from './containers/kill-each.mjs';
import { freePorts } from './containers/ports.mjs';
import { Shop } from './containers/shop.mjs';
import { until } from './containers/until.mjs';
import { seconds } from './test/seconds.mjs';

const root = dirname(import.meta.dirname);
const { values: flags } = parseArgs({
  options: {
    /** Every link through the fault proxy. */
    chaos: { type: 'boolean', default: false },
    /** Leave it running in the end. */
    keep: { type: 'boolean', default: false },
    rate: { type: 'string', default: '20' },
  },
});

const RELAYS = 4;
const LOAD_S = 20;
const FIRST_PRODUCT = 1_000_000;
const MINE = ['order-service', 'inventory-service', 'relay', 'inventory-relay', 'gentle-load', 'toxiproxy'];

const env = await freePorts();
const files = ['docker-compose.yml', ...(flags.chaos ? ['docker-compose.chaos.yml'] : [])];
const compose = new Compose({ root, project: 'counterfoil-test', files, env });
const shop = new Shop(`http://127.0.0.1:${env.ORDER_PORT}`, `http://127.0.0.1:${env.INVENTORY_PORT}`);
const tell = (line) => console.log(`    ${line}`);
const up = (...args) => compose.show('up', '--detach', '--wait', '--quiet-pull', ...args);

const STEPS = [
  ['the image is built', () => compose.show('build', '--quiet', 'order-service')],
  ['from nothing, everything comes up healthy', () => up()],
  ['an order is confirmed', placeOne],
  ['there are more relays', moreRelays],
  ['every container is killed in turn under load, and the books balance', killAll],
  ['a process that ends is started again', endsAndComesBack],
  ['everything stops in time, and our processes end with 0', stopAll],
  ['down and up again, and nothing is lost', downAndUp],
];

let before;

async function placeOne() {
  await shop.putProduct(FIRST_PRODUCT - 1, 10);
  const { id } = await shop.place({ productId: FIRST_PRODUCT - 1, quantity: 3 }, `one-${Date.now()}`);
  await shop.untilConfirmed(id);
  before = { id, left: await shop.stockOf(FIRST_PRODUCT - 1) };
  if (before.left !== 7n) throw new Error(`7 should be left, not ${before.left}`);
}

async function moreRelays() {
  await up('--no-recreate', '--scale', `relay=${RELAYS}`);
  const relays = (await compose.containers()).filter(({ service }) => service === 'relay');
  if (relays.length !== RELAYS) throw new Error(`there are ${relays.length} relays`);
}

async function killAll() {
  const killing = { ended: false };
  const killed = killEach(compose, tell).finally(() => (killing.ended = true));
  const loads = await placeUntil(() => killing.ended);
  await killed;
  const problems = await bookProblems(shop, loads, tell);
  if (problems.length > 0) throw new Error(`The books do not balance: ${problems.slice(0, 20).join('; ')}`);
}

/** One load after the other, as long as the killing lasts; each with products of its own. */
async function placeUntil(isOver) {
  const done = [];
  while (!isOver()) {
    const firstProductId = FIRST_PRODUCT + done.length * 1_000;
    const load = createLoad(root, { url: shop.orderUrl, rate: Number(flags.rate), seconds: LOAD_S, firstProductId });
    await until('products to be made', async () => {
      for (const id of load.workload.productIds) await shop.putProduct(id, Number(load.stock));
      return true;
    });
    done.push({ load, summary: await load.run() });
  }
  return done;
}

async function endsAndComesBack() {
  const { id, restarts } = (await compose.containers()).find(({ service }) => service === 'order-service');
  await compose.ask('exec', '-T', 'order-service', 'node', '-e', 'process.kill(1, "SIGTERM")');
  await until('it to be restarted', async () => (await compose.container(id)).restarts > restarts);
  await untilHealthy(compose);
}

async function stopAll() {
  await compose.ask('stop');
  const ended = await compose.containers();
  const bad = ended.filter(({ running, exitCode, service }) => running || (MINE.includes(service) && exitCode !== 0));
  tell(ended.map(({ name, exitCode }) => `${name} ${exitCode}`).join(', '));
  if (bad.length > 0) throw new Error(bad.map(({ name, exitCode }) => `${name} ended with ${exitCode}`).join(', '));
}

async function downAndUp() {
  await compose.ask('down');
  await up();
  const { status } = await shop.order(before.id);
  const left = await shop.stockOf(FIRST_PRODUCT - 1);
  if (status !== 'CONFIRMED' || left !== before.left) throw new Error(`order ${status}, stock ${left}`);
  await placeOne();
}

async function main() {
  await compose.ask('down', '--volumes', '--remove-orphans');
  try {
    for (const [says, act] of STEPS) {
      const startedMs = performance.now();
      await act();
      console.log(`✓ ${says} (${seconds(startedMs)})`);
    }
    const bytes = await docker('image', 'inspect', '--format', '{{.Size}}', 'counterfoil:local');
    console.log(`  counterfoil:local has ${(Number(bytes) / 1e6).toFixed(0)} MB, the one it is built on included`);
  } catch (error) {
    console.log(await compose.ask('logs', '--no-color', '--tail', '20', ...MINE.slice(0, 5)));
    throw error;
  } finally {
    if (!flags.keep) await compose.ask('down', '--volumes', '--remove-orphans', '--timeout', '5');
  }
}

main().then(
  () => console.log(`\n${STEPS.length} passed, 0 failed`),
  (error) => {
    console.error(`✗ ${error.stderr || error.message}`);
    console.log('\n0 passed, 1 failed');
    process.exitCode = 1;
  },
);
