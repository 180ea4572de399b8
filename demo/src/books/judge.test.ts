import { createWorkload, INITIAL_STOCK, keyOf } from '@counterfoil/loadtest';

import type { BookedOrder } from './books.js';
import type { Evidence } from './evidence.js';
import { judge, type Judgement } from './judge.js';

const RUN = 'run';
const COUNT = 100;
const workload = createWorkload({ seed: 1, orderCount: COUNT });
const indexes = Array.from({ length: COUNT }, (_, index) => index);

interface Story {
  /** How often the stock of an order was taken. */
  times?: Record<number, number>;
  /** Changes of a booked order; null: not in the books. */
  order?: Record<number, Partial<BookedOrder> | null>;
  failed?: number[];
  unknown?: number[];
  rate?: number;
  open?: number;
  messages?: number;
  note?: Record<number, string>;
}

/** A run of a hundred orders in which all went well, but for what the story says. */
function evidenceOf(story: Story): Evidence {
  const orders = bookedOrders(story);
  return {
    workload,
    client: clientOf(story),
    liveness: { open: story.open ?? 0, ended: [] },
    books: {
      orders,
      messages: story.messages ?? orders.length,
      deductions: new Map(orders.map(({ messageId }, index) => [messageId, story.note?.[index] ?? 'SUCCESS'])),
      decisionsSent: orders.length,
      decisionsNoted: orders.length,
      stock: stockAfter(story),
    },
  };
}

function clientOf({ failed = [], unknown = [], rate = 1000 }: Story): Evidence['client'] {
  const [fail, info] = [failed.length, unknown.length];
  const ok = COUNT - fail - info;
  return { run: RUN, planned: COUNT, attempted: COUNT, ok, fail, info, wantedRate: 1000, rate, failed, unknown };
}

function bookedOrders(story: Story): BookedOrder[] {
  return indexes.flatMap((index) => {
    const change = story.order?.[index];
    if (change === null) return [];
    const names = { key: keyOf(RUN, index), messageId: `m${String(index)}` };
    return { ...workload.order(index), ...names, status: 'CONFIRMED' as const, messageStatus: 'SENT', ...change };
  });
}

function stockAfter(story: Story): Map<number, bigint> {
  const stock = new Map(workload.productIds.map((id) => [id, INITIAL_STOCK]));
  for (const index of indexes) {
    const { productId, quantity } = workload.order(index);
    stock.set(productId, (stock.get(productId) ?? 0n) - BigInt(quantity) * BigInt(story.times?.[index] ?? 1));
  }
  return stock;
}

const judged = (story: Story): Judgement => judge(evidenceOf(story));
const broken = ({ findings }: Judgement): string[] => findings.filter(({ holds }) => !holds).map(({ id }) => id);

describe('the books', () => {
  it('when every order took its stock once, then they hold', () => {
    const judgement = judged({});
    expect(judgement).toMatchObject({ verdict: 'valid', doubts: [] });
    expect(judgement.counts).toMatchObject({
      orders: 100,
      messages: 100,
      deducted: 100,
      confirmed: 100,
      lost: 0,
      doubled: 0,
      phantom: 0,
    });
  });

  it('when an order says CONFIRMED and its stock was never taken, then it is lost', () => {
    const judgement = judged({ times: { 42: 0 } });
    expect(judgement).toMatchObject({ verdict: 'invalid', counts: { lost: 1, doubled: 0, oddProducts: 1 } });
    expect(broken(judgement)).toEqual(['I5', 'I6']);
  });

  it('when the stock of an order was taken twice, then it is doubled', () => {
    const judgement = judged({ times: { 42: 2 } });
    expect(judgement).toMatchObject({ verdict: 'invalid', counts: { lost: 0, doubled: 1, oddProducts: 1 } });
    expect(broken(judgement)).toEqual(['I5', 'I6']);
  });

  it('when one order was lost and another doubled, then both are seen although they share a product', () => {
    const { counts, verdict } = judged({ times: { 3: 0, 4: 2 } });
    expect(workload.order(3).productId).toBe(workload.order(4).productId);
    expect(counts).toMatchObject({ lost: 1, doubled: 1, oddProducts: 1 });
    expect(verdict).toBe('invalid');
  });

  it('when an acknowledged order is not in the books, then it is missing, and lost', () => {
    const judgement = judged({ order: { 7: null }, times: { 7: 0 } });
    expect(judgement.counts.lost).toBe(1);
    expect(broken(judgement)).toEqual(['I1', 'I5']);
  });

  it('when an order of unknown outcome is or is not in the books, then both are right', () => {
    expect(judged({ unknown: [7] }).verdict).toBe('valid');
    expect(judged({ unknown: [7], order: { 7: null }, times: { 7: 0 } }).verdict).toBe('valid');
  });

  it('when an order that failed is in the books, then it is one too many', () => {
    expect(broken(judged({ failed: [7] }))).toEqual(['I2']);
    expect(judged({ failed: [7], order: { 7: null }, times: { 7: 0 } }).verdict).toBe('valid');
  });

  it('when stock was taken without an order, then it is a phantom', () => {
    const judgement = judged({ failed: [7], order: { 7: null } });
    expect(judgement.counts.phantom).toBe(1);
    expect(broken(judgement)).toEqual(['I5', 'I6']);
  });

  it('when a rejected order took no stock, then that is right, and when it took some, it is a phantom', () => {
    expect(judged({ order: { 7: { status: 'REJECTED' } }, times: { 7: 0 } }).verdict).toBe('valid');
    expect(judged({ order: { 7: { status: 'REJECTED' } } }).counts.phantom).toBe(1);
  });

  it('when an order has no message, or a message no order, then they are not one to one', () => {
    expect(broken(judged({ order: { 7: { messageStatus: null } } }))).toEqual(['I3', 'I7']);
    expect(broken(judged({ messages: 101 }))).toEqual(['I3']);
  });

  it('when a key has two orders, then one is too many', () => {
    expect(broken(judged({ order: { 8: { key: keyOf(RUN, 7) } }, unknown: [8] }))).toContain('I2');
  });

  it('when a note is no success, then note and effect do not agree', () => {
    expect(broken(judged({ note: { 7: 'FAILED' } }))).toEqual(['I7']);
  });

  it('when something is still open, then not everything came to its end', () => {
    expect(broken(judged({ open: 3 }))).toEqual(['I8']);
  });

  it('when the load fell short, then nobody can tell, but a broken book is still broken', () => {
    expect(judged({ rate: 900 }).verdict).toBe('unknown');
    expect(judged({ rate: 900, times: { 42: 2 } }).verdict).toBe('invalid');
  });
});
