import { aRun } from '../testkit/facts-builder.js';
import { broken, double, drop, flip, swap, withBooks } from '../testkit/mutate.js';
import { stockLedger } from './i6-stock-ledger.js';

describe('I6, the ledger of the stock', () => {
  it('when a change is missing or stands there twice, then the chain is broken', () => {
    expect(broken(withBooks(aRun(), ({ stockChanges }) => ({ stockChanges: drop(stockChanges, 3) })))).toEqual([
      'I6',
      'I14',
    ]);
    expect(broken(withBooks(aRun(), ({ stockChanges }) => ({ stockChanges: double(stockChanges, 3) })))).toEqual([
      'I6',
      'I14',
    ]);
  });

  it('when two changes of a product come in the other order, then it is broken; of two products, then not', () => {
    expect(broken(withBooks(aRun(), ({ stockChanges }) => ({ stockChanges: swap(stockChanges, 3) })))).toEqual(['I6']);
    expect(broken(withBooks(aRun(), ({ stockChanges }) => ({ stockChanges: swap(stockChanges, 14) })))).toEqual([]);
  });

  it('when an update was lost, then the later one begins where the lost one began', () => {
    const { stockChanges } = aRun().books;
    const lost = flip(stockChanges, 4, { before: stockChanges[3]?.before ?? 0n });
    expect(stockLedger(withBooks(aRun(), () => ({ stockChanges: lost }))).anomalies[0]).toContain('was left at');
  });

  it('when the stock rose, or fell below nothing, then it is broken', () => {
    const { stockChanges } = aRun().books;
    const { before = 0n } = stockChanges[29] ?? {};
    const last = (after: bigint) =>
      stockLedger(withBooks(aRun(), () => ({ stockChanges: flip(stockChanges, 29, { after }) }))).anomalies.join();
    expect(last(before + 1n)).toContain('rose from');
    expect(last(-1n)).toContain('fell to -1');
  });

  it('when the stock in the end is not what the ledger left, or a product is gone, then it is broken', () => {
    expect(broken(withBooks(aRun(), ({ endStock }) => ({ endStock: new Map(endStock).set(1, 5n) })))).toContain('I6');
    expect(broken(withBooks(aRun(), ({ endStock }) => ({ endStock: new Map([...endStock].slice(1)) })))).toContain(
      'I6',
    );
  });
});
