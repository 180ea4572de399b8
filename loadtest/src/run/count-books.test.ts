import { createWorkload, INITIAL_STOCK } from '../workload.js';
import { countBooks, type BooksOptions } from './count-books.js';

const workload = createWorkload({ seed: 1, orderCount: 60 });

/** The stock after each of the first `orders` was deducted `times`. */
function stockAfter(orders: number, times: (index: number) => number = () => 1): Map<number, bigint> {
  const stock = new Map(workload.productIds.map((id) => [id, INITIAL_STOCK]));
  for (let index = 0; index < orders; index += 1) {
    const { productId, quantity } = workload.order(index);
    stock.set(productId, (stock.get(productId) ?? 0n) - BigInt(quantity * times(index)));
  }
  return stock;
}

async function count(looks: Map<number, bigint>[], accepted: number): Promise<{ books: unknown; waitedMs: number }> {
  let nowMs = 0;
  const stock = (): Promise<Map<number, bigint>> =>
    Promise.resolve((looks.length > 1 ? looks.shift() : looks[0]) ?? new Map<number, bigint>());
  const rest: BooksOptions['rest'] = (ms) => Promise.resolve((nowMs += ms));
  const books = await countBooks({ workload, stock, accepted, nowMs: () => nowMs, rest });
  return { books, waitedMs: nowMs };
}

describe('the books of a load test', () => {
  it('when all is deducted at the first look, then it waits no longer than for a late double', async () => {
    const { books, waitedMs } = await count([stockAfter(60)], 60);
    expect(books).toEqual({ products: 4, deducted: 60, doubled: 0, unreadable: 0 });
    expect(waitedMs).toBe(1_000);
  });

  it('when orders are still being deducted, then it waits as long as something moves', async () => {
    const looks = [0, 10, 20, 30, 40, 50, 60].map((orders) => stockAfter(orders));
    expect((await count(looks, 60)).books).toMatchObject({ deducted: 60 });
  });

  it('when an order is lost, then it gives up after nothing moved, and the count shows it', async () => {
    const { books, waitedMs } = await count([stockAfter(60, (index) => (index === 7 ? 0 : 1))], 60);
    expect(books).toMatchObject({ deducted: 59, doubled: 0 });
    expect(waitedMs).toBeGreaterThanOrEqual(15_000);
  });

  it('when an order is deducted twice, then it is counted once and named', async () => {
    const { books } = await count([stockAfter(60, (index) => (index === 7 ? 2 : 1))], 60);
    expect(books).toMatchObject({ deducted: 60, doubled: 1 });
  });

  it('when a stock is higher than it was, then no orders explain it', async () => {
    const stock = stockAfter(60).set(workload.productIds[0] ?? 0, INITIAL_STOCK + 1n);
    expect((await count([stock], 60)).books).toMatchObject({ unreadable: 1 });
  });
});
