import type { RunFacts } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { broken, flip, withBooks } from '../testkit/mutate.js';
import { aRunWithKiller, givenUp } from '../testkit/planned-failures.js';
import { effectExactlyOnce } from './i5-effect-exactly-once.js';

/** Order 3 took its stock as often as `times`, and the ledger of the stock agrees. */
function deducted(times: number, facts = aRun()): RunFacts {
  const { productId = 0, quantity = 0 } = facts.books.placed[3] ?? {};
  const extra = BigInt(quantity) * BigInt(times - 1);
  return withBooks(facts, ({ endStock, stockChanges }) => ({
    endStock: new Map(endStock).set(productId, (endStock.get(productId) ?? 0n) - extra),
    stockChanges: stockChanges.map((change, index) => {
      if (change.productId !== productId || index < 3) return change;
      return { ...change, before: change.before - (index > 3 ? extra : 0n), after: change.after - extra };
    }),
  }));
}

const reject = (facts: RunFacts): RunFacts =>
  withBooks(facts, ({ orders, decisionMessages }) => ({
    orders: flip(orders, 3, { status: 'REJECTED' }),
    decisionMessages: flip(decisionMessages, 3, { outcome: 'REJECTED' }),
  }));

describe('I5, every order took effect exactly once or was rejected', () => {
  it.each([0, 2, 3])('when an order was deducted %i times, then its digit says so', (times) => {
    expect(broken(deducted(times))).toEqual(['I5', 'I7', 'I14']);
    const says =
      times === 0
        ? 'order 3 of product 1 was never deducted'
        : `order 3 of product 1 was deducted ${String(times)} times`;
    expect(effectExactlyOnce(deducted(times)).anomalies).toEqual([says]);
  });

  it('when an order was deducted four times, then the carry is told of its product', () => {
    const { holds, anomalies } = effectExactlyOnce(deducted(4));
    expect(holds).toBe(false);
    expect(anomalies.join()).toContain('product 1');
  });

  it('when an order was rejected and deducted, then it is both', () => {
    expect(effectExactlyOnce(reject(aRun())).anomalies[0]).toBe('order 3 of product 1 was deducted without being due');
  });

  it('when an order was rejected although it fitted, then it is broken', () => {
    expect(effectExactlyOnce(reject(deducted(0))).anomalies).toEqual([
      'order 1003 was rejected although there was stock enough',
    ]);
  });

  it('when products are hammered with other quantities, then the sum shows what is missing', () => {
    const hot = { load: { ...aRun().plan.load, workload: 'hot' as const } };
    expect(effectExactlyOnce(aRun(hot)).holds).toBe(true);
    expect(effectExactlyOnce(deducted(0, aRun(hot))).anomalies[0]).toContain('something is lost');
    expect(effectExactlyOnce(deducted(2, aRun(hot))).anomalies[0]).toContain('something is doubled');
  });

  it('when an order was given up as planned, then it must have taken nothing; any other that is given up is lost', () => {
    const killed = (times: number): RunFacts => givenUp(deducted(times, aRunWithKiller()), 3);
    expect(effectExactlyOnce(killed(0)).holds).toBe(true);
    expect(effectExactlyOnce(killed(1)).holds).toBe(false);
    expect(effectExactlyOnce(givenUp(deducted(0), 3)).holds).toBe(false);
  });

  it('when nobody knows the stock before, then it cannot be told', () => {
    expect(effectExactlyOnce(withBooks(aRun(), () => ({ startStock: new Map() }))).holds).toBeNull();
  });
});
