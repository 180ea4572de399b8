import { createRequire } from 'node:module';
import { join } from 'node:path';
import { until } from './until.mjs';

const AT_ONCE = 8;

/** The load whose books are kept: every order has its key, and its place in the stock. */
export function createLoad(root, { url, rate, seconds, firstProductId }) {
  const { createWorkload, INITIAL_STOCK, keyOf, plannedOrders, readDeductions, startLoad } = createRequire(
    join(root, 'loadtest', 'package.json'),
  )('./dist/index.js');
  const settings = {
    url,
    rate,
    seconds,
    firstProductId,
    warmUpSeconds: 0,
    seed: 1,
    run: `c${Date.now()}`,
    retries: 50,
  };
  const workload = createWorkload({ seed: 1, orderCount: plannedOrders(settings), firstProductId });
  return {
    workload,
    stock: INITIAL_STOCK,
    key: (index) => keyOf(settings.run, index),
    run: () => startLoad(settings, () => undefined).summary,
    deductions: (stock, expected) => readDeductions(workload, stock, expected),
  };
}

/**
 * Compares what each load was told with its orders and its stock. Orders of unknown outcome are asked for again under
 * their key first, so that each is known.
 *
 * @param done loads with their summaries
 * @returns sentences about what is wrong; none when the books balance
 */
export async function bookProblems(shop, done, tell) {
  const found = { attempted: 0, accepted: 0, unknown: 0, refused: 0, once: 0, never: 0, oftener: 0 };
  const problems = [];
  for (const { load, summary } of done) problems.push(...(await problemsOf(shop, load, summary, found)));
  tell(
    Object.entries(found)
      .map(([what, count]) => `${what} ${count}`)
      .join(', '),
  );
  return [...(found.accepted === 0 ? ['no order was accepted'] : []), ...problems];
}

async function problemsOf(shop, load, summary, found) {
  const failed = new Set(summary.failed);
  const placed = Array.from({ length: summary.attempted }, (_, index) => index).filter((index) => !failed.has(index));
  const orders = await decided(shop, load, placed);
  const stock = new Map();
  await inLanes(load.workload.productIds, async (id) => stock.set(id, await shop.stockOf(id)));
  const { odd, unreadable, times } = load.deductions(stock, (index) => (failed.has(index) ? 0 : 1));
  found.attempted += summary.attempted;
  found.accepted += summary.ok;
  found.unknown += summary.info;
  found.refused += summary.fail;
  for (const index of placed) found[times[index] === 1 ? 'once' : times[index] === 0 ? 'never' : 'oftener'] += 1;
  const rejected = orders.filter(({ status }) => status !== 'CONFIRMED').length;
  return [
    ...(rejected > 0 ? [`${rejected} orders are not CONFIRMED`] : []),
    ...odd.map(({ productId, digits }) => `the stock of ${productId} says ${digits.join(' ')}`),
    ...unreadable.map(({ productId }) => `no orders explain the stock of ${productId}`),
  ];
}

async function decided(shop, load, placed) {
  const ask = (index) => shop.place(load.workload.order(index), load.key(index));
  return until('every order to be decided', async () => {
    const orders = await inLanes(placed, ask);
    const open = orders.filter(({ status }) => status === 'CREATED').length;
    if (open > 0) throw new Error(`${open} of ${placed.length} orders are still open`);
    return orders;
  });
}

async function inLanes(items, act) {
  const waiting = items.values();
  const results = [];
  const lane = async () => {
    for (const item of waiting) results.push(await act(item));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
