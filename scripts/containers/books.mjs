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
 * Compares what the load was told with the orders and the stock. Orders of unknown outcome are asked for again under
 * their key first, so that each is known.
 *
 * @returns sentences about what is wrong; none when the books balance
 */
export async function bookProblems(shop, load, summary, tell) {
  const failed = new Set(summary.failed);
  const placed = Array.from({ length: summary.attempted }, (_, index) => index).filter((index) => !failed.has(index));
  const ask = (index) => shop.place(load.workload.order(index), load.key(index));
  await until('every order to be decided', async () => {
    const open = (await inLanes(placed, ask)).filter(({ status }) => status === 'CREATED');
    if (open.length > 0) throw new Error(`${open.length} of ${placed.length} orders are still open`);
    return true;
  });
  const orders = await inLanes(placed, ask);
  const stock = new Map();
  await inLanes(load.workload.productIds, async (id) => stock.set(id, await shop.stockOf(id)));
  const { odd, unreadable, times } = load.deductions(stock, (index) => (failed.has(index) ? 0 : 1));
  const count = (wanted) => placed.filter((index) => wanted(times[index])).length;
  tell(
    `${summary.attempted} orders: ${summary.ok} accepted, ${summary.unknown.length} unknown at first, ${failed.size} refused; ` +
      `deducted once: ${count((each) => each === 1)}, never: ${count((each) => each === 0)}, more than once: ${count((each) => each > 1)}`,
  );
  const rejected = orders.filter(({ status }) => status !== 'CONFIRMED').length;
  return [
    ...(summary.ok === 0 ? ['no order was accepted'] : []),
    ...(rejected > 0 ? [`${rejected} orders are not CONFIRMED`] : []),
    ...odd.map(({ productId, digits }) => `the stock of ${productId} says ${digits.join(' ')}`),
    ...unreadable.map(({ productId }) => `no orders explain the stock of ${productId}`),
  ];
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
