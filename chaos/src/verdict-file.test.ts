import { aRun } from './testkit/facts-builder.js';
import { drop, flip, withBooks } from './testkit/mutate.js';
import { countsOf } from './verdict-counts.js';
import { verdictFile, verdictJson } from './verdict-file.js';
import { judge } from './verdict.js';

describe('the verdict as a file', () => {
  it('when a run is valid, then the file has what the contract promises', () => {
    const facts = aRun();
    expect(JSON.parse(verdictJson(facts, judge(facts)))).toMatchObject({
      ...{ verdict: 'valid', reasons: [], scenario: 'relay-kill', seed: 7, sabotage: null },
      counts: {
        attempted: 30,
        ok: 30,
        fail: 0,
        info: 0,
        lost: 0,
        doubled: 0,
        phantom: 0,
        unresolved: 0,
        placed: 30,
        duplicates: 2,
      },
      throughput: { plannedRate: 3, rate: 3, okRate: 3 },
      latencyMs: { p50: 2, p99: 5 },
      faults: [{ kind: 'kill', target: 'relay-1', fromMs: 7_000, toMs: 7_700, effect: { exits: 1 } }],
    });
  });

  it('when orders went wrong, then they are counted by what the stock spells', () => {
    const { placed, orders } = aRun().books;
    const facts = withBooks(aRun(), ({ endStock }) => ({
      placed: drop(placed, 7),
      orders: flip(orders, 8, { status: 'CREATED' }),
      endStock: new Map(endStock)
        .set(1, (endStock.get(1) ?? 0n) + BigInt(placed[3]?.quantity ?? 0))
        .set(2, (endStock.get(2) ?? 0n) - BigInt(placed[20]?.quantity ?? 0)),
    }));
    const { counts, invariants } = verdictFile(facts, judge(facts));
    expect(counts).toMatchObject({ lost: 1, doubled: 1, phantom: 1, unresolved: 1 });
    expect(invariants).toContainEqual(expect.objectContaining({ id: 'I5', holds: false }));
  });

  it('when there are more products than a call takes arguments, then it counts all the same', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => [1_000 + index, 1n] as const);
    const facts = withBooks(aRun(), ({ startStock, endStock }) => ({
      startStock: new Map([...startStock, ...many]),
      endStock: new Map([...endStock, ...many]),
    }));
    expect(countsOf(facts)).toEqual(countsOf(aRun()));
  });

  it('when the stock cannot be reckoned with at all, then there is a verdict all the same, without these numbers', () => {
    const startStock = new Map(aRun().books.startStock);
    startStock.get = () => {
      throw new RangeError('too much');
    };
    const facts = withBooks(aRun(), () => ({ startStock }));
    expect(verdictFile(facts, judge(facts))).toMatchObject({
      verdict: 'unknown',
      counts: { placed: 30, lost: null, doubled: null, phantom: null },
    });
  });

  it('when the stock cannot tell the orders apart, then it says so and gives no number', () => {
    const facts = aRun({ load: { ...aRun().plan.load, workload: 'hot' } });
    expect(verdictFile(facts, judge(facts)).counts).toMatchObject({ lost: null, doubled: null, phantom: null });
  });
});
