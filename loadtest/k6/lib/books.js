import http from 'k6/http';
import { fail, sleep } from 'k6';
import { Counter } from 'k6/metrics';

import { deductionsOf, INITIAL_STOCK } from './profile.js';

const AT_ONCE = 50;
/** Nothing moved for so long: what is not deducted by now will not be. */
const STILL_S = 15;

const counters = {
  products: new Counter('books_products'),
  deducted: new Counter('books_deducted'),
  doubled: new Counter('books_doubled'),
  unreadable: new Counter('books_unreadable'),
};

/**
 * @typedef {{ inventoryUrl: string, firstProductId: number, products: number }} Shelf
 */

/** @param {Shelf} shelf */
export function makeProducts({ inventoryUrl, firstProductId, products }) {
  const headers = { 'content-type': 'application/json' };
  inBatches(products, (offset) => {
    const id = firstProductId + offset;
    const body = JSON.stringify({ name: `Product ${id}`, stock: INITIAL_STOCK });
    return { method: 'PUT', url: `${inventoryUrl}/products/${id}`, body, params: { headers } };
  });
}

/**
 * Waits while orders are still being deducted, then counts in the stock of every product.
 *
 * @param {Shelf} shelf
 */
export function countBooks(shelf) {
  let books = read(shelf);
  for (let stillS = 0; stillS < STILL_S; stillS += 1) {
    sleep(1);
    const now = read(shelf);
    if (now.left !== books.left) stillS = -1;
    books = now;
  }
  counters.products.add(shelf.products);
  counters.deducted.add(books.deducted);
  counters.doubled.add(books.doubled);
  counters.unreadable.add(books.unreadable);
}

/** @param {Shelf} shelf */
function read({ inventoryUrl, firstProductId, products }) {
  const sum = { left: 0, deducted: 0, doubled: 0, unreadable: 0 };
  const answers = inBatches(products, (offset) => ({
    method: 'GET',
    url: `${inventoryUrl}/products/${firstProductId + offset}`,
  }));
  for (const answer of answers) {
    const stock = Number(answer.json('stock'));
    const counts = deductionsOf(stock);
    sum.left += stock;
    sum.deducted += counts.deducted;
    sum.doubled += counts.doubled;
    sum.unreadable += counts.unreadable;
  }
  return sum;
}

/**
 * @param {number} count
 * @param {(offset: number) => import('k6/http').ObjectBatchRequest} requestOf
 * @returns {import('k6/http').Response[]} of all, each a 200
 */
function inBatches(count, requestOf) {
  const answers = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    const batch = http.batch(Array.from({ length }, (_, index) => requestOf(from + index)));
    for (const answer of batch) {
      if (answer.status !== 200) fail(`${answer.request.url} says ${answer.status} ${answer.error}`);
      answers.push(answer);
    }
  }
  return answers;
}
