import { Bench } from './testkit/bench.js';
import { ALL_VECTORS } from './testkit/vectors/index.js';

// Every vector of the specification (docs/reference): against ours in this process, or against the program that
// TOXIPROXY_BIN names. Where the original is known to differ, the vector says how and expects that.
describe('the fault proxy behaves as its specification says', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it.each(ALL_VECTORS.map((one) => [one.id, one.promise, one] as const))(
    '%s: %s',
    (_id, _promise, { run }) => run(bench),
    180_000,
  );

  it('when the vectors are counted, then none of the specification is missing', () => {
    const counts = { A: 32, D: 5, L: 6, B: 3, S: 2, T: 5, R: 4, C: 3, M: 3, X: 3 };
    const expected = Object.entries(counts).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    expect(ALL_VECTORS.map(({ id }) => id).sort()).toEqual(expected.sort());
  });
});
