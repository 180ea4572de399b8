import { countBooks, makeProducts } from './books.js';
import { optionsFor, profileOf } from './options.js';
import { placeOrder } from './place-order.js';
import { plannedOrders, productCount } from './profile.js';
import { makeSummary, summaryText } from './summary.js';

const ORDER_URL = __ENV['ORDER_URL'] || 'http://127.0.0.1:3001';
const INVENTORY_URL = __ENV['INVENTORY_URL'] || 'http://127.0.0.1:3002';

/**
 * What a script exports: products of this run alone, one order an iteration, then the books.
 *
 * @param {string} name of a profile
 */
export function scenario(name) {
  return { options: optionsFor(name), setup: () => setUp(name), handleSummary: summaryOf(name) };
}

/** @param {string} name */
function setUp(name) {
  const profile = profileOf(name);
  const firstProductId = Date.now() * 1000;
  const plan = {
    orderUrl: ORDER_URL,
    inventoryUrl: INVENTORY_URL,
    run: `k6-${firstProductId}`,
    firstProductId,
    products: productCount(plannedOrders(profile)),
    warmUpMs: profile.warmUpSeconds * 1000,
  };
  makeProducts(plan);
  return plan;
}

export { countBooks, placeOrder };

/** @typedef {{ metrics: Record<string, { values: Record<string, number> }> }} EndOfTest */

/** @param {string} name */
const summaryOf =
  (name) =>
  (/** @type {EndOfTest} */ { metrics }) => {
    const count = (/** @type {string} */ metric) => metrics[metric]?.values['count'] ?? 0;
    const took = (/** @type {string} */ stat) => metrics['order_latency']?.values[stat] ?? NaN;
    const summary = makeSummary(name, profileOf(name), {
      tool: 'k6',
      url: ORDER_URL,
      attempted: count('iterations'),
      ok: count('orders_ok'),
      refused: count('orders_refused'),
      unknown: count('orders_unknown'),
      dropped: count('dropped_iterations'),
      latencyMs: { p50: took('med'), p90: took('p(90)'), p99: took('p(99)'), p999: took('p(99.9)'), max: took('max') },
      books: {
        products: count('books_products'),
        deducted: count('books_deducted'),
        doubled: count('books_doubled'),
        unreadable: count('books_unreadable'),
      },
    });
    return { stdout: summaryText(summary), [__ENV['SUMMARY'] || 'k6-summary.json']: JSON.stringify(summary, null, 2) };
  };
