import { Intake } from './intake.js';
import type { OrderRequest } from './order.js';
import type { Placed } from './placed.js';

const request = (productId: number): OrderRequest => ({
  productId,
  quantity: 1,
  idempotencyKey: null,
  requestHash: 'h',
});

it('DB-11: when the database holds up all transactions, then a request whose turn does not come is refused and never placed', async () => {
  const placed: number[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const intake = new Intake({
    turnWaitMs: 30,
    place: async (requests) => {
      placed.push(...requests.map(({ productId }) => productId));
      await held;
      return requests.map((): Placed => ({ kind: 'outcome-unknown' }));
    },
  });
  const first = Array.from({ length: 400 }, (_, n) => intake.place(request(n)));
  const late = [intake.place(request(1_000)), intake.place(request(1_001))];
  expect(await Promise.all(late)).toEqual([{ kind: 'not-accepted' }, { kind: 'not-accepted' }]);
  release();
  expect(new Set((await Promise.all(first)).map(({ kind }) => kind))).toEqual(new Set(['outcome-unknown']));
  expect(await intake.place(request(2_000))).toEqual({ kind: 'outcome-unknown' });
  expect(placed).toHaveLength(401);
  expect(placed.includes(1_000)).toBe(false);
  expect(intake.size).toBe(0);
});

it('when placing throws, then the request learns it', async () => {
  const intake = new Intake({ turnWaitMs: 1_000, place: () => Promise.reject(new Error('a bug')) });
  await expect(intake.place(request(1))).rejects.toThrow('a bug');
});
