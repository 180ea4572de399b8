import type { Invariant, RunFacts } from '../../facts.js';
import { aRun, SENT_TWICE } from '../../testkit/facts-builder.js';
import { drop, withBooks } from '../../testkit/mutate.js';
import { livesOf, type Life } from './lives.js';

const saying = (...anomalies: string[]): { invariants: Invariant[] } => ({
  invariants: [{ id: 'I5', holds: false, detail: '', anomalies }],
});

const only = (facts: RunFacts, anomaly: string): Life | undefined => livesOf(facts, saying(anomaly))[0];
const said = (life: Life | undefined): string[] => (life?.events ?? []).map(({ who, what }) => `${who}: ${what}`);

describe('the life of what an anomaly is about', () => {
  it.each([
    ['by its number', 'order 7 of product 1 was never deducted'],
    ['by its id', 'order 1007 is CREATED: its note is missing'],
    ['by its message', 'm7 is FAILED: no route'],
    ['by its decision', 'decision d7 is SENT and was never published'],
    ['by the row of its message', 'order producer_message 11007 PENDING v0 → SENT v1 is no arrow'],
    ['by the row of a note', 'inventory consumer_message 8 moved and is no row any more'],
  ])('when an order is named %s, then it is that order', (_how, anomaly) => {
    expect(only(aRun(), anomaly)?.subject).toBe('order 1007');
  });

  it('when an order is told of, then every witness has its line', () => {
    const [index = 0] = SENT_TWICE;
    const id = String(1_000 + index);
    expect(said(only(aRun(), `order ${id} is CREATED`))).toEqual([
      `client: order ${String(index)} was due`,
      `client: answered ok after 5.0 ms: ${id}`,
      expect.stringMatching(`^order ledger: placed: order ${id}, product 1, quantity`),
      `orders: CONFIRMED, message m4, key run-4`,
      'order transitions: PENDING v0 → SENDING v1',
      'order transitions: SENDING v1 → PENDING v2, a lease was lost',
      'order transitions: PENDING v2 → SENDING v3',
      'order transitions: SENDING v3 → SENT v4',
      'order producer_message: deduction m4: SENT, version 4, 0 attempts failed, 0 leases lost',
      'tap: m4 was published 2 times',
      'inventory consumer_message: note of m4: SUCCESS, version 0',
      expect.stringMatching(/^stock ledger: \d+ → \d+: this order 1 ×$/),
      'inventory transitions: SENDING v0 → SENT v1',
      'inventory producer_message: decision CONFIRMED d4: SENT, version 1, 0 attempts failed, 0 leases lost',
      'tap: d4 was published 1 times',
      'order consumer_message: note of d4: SUCCESS, version 0',
    ]);
  });

  it('when an order met a fault, then the fault stands in its life', () => {
    expect(said(only(aRun(), 'order 20 was lost'))).toContain('nemesis: f1 kill relay-1: exits 1, down 500 ms');
  });

  it('when an order is in no book, then its life says what is missing', () => {
    const facts = withBooks(aRun(), ({ placed, orders, orderMessages, stockChanges }) => ({
      ...{ placed: drop(placed, 7), orders: drop(orders, 7), orderMessages: drop(orderMessages, 7) },
      stockChanges: drop(stockChanges, 7),
    }));
    expect(said(only(facts, 'order 7 was acknowledged and is not in the books'))).toEqual([
      'client: order 7 was due',
      'client: answered ok after 5.0 ms: 1007',
      'order ledger: nothing: it was never placed',
      'inventory consumer_message: no note',
      'stock ledger: nothing: its stock was never taken',
      'order consumer_message: no note',
    ]);
  });

  it('when a product is odd, then its orders and its stock are told', () => {
    const life = only(aRun(), 'product 1 spells 1111');
    expect(life?.subject).toBe('product 1');
    expect(said(life)).toHaveLength(2 + 15 + 15);
  });

  it('when several say something of one order, then it lives once; what names nothing is about the whole run', () => {
    const lives = livesOf(
      aRun(),
      saying('order 3 was lost', 'order 1003 is CREATED', 'm3 is FAILED: x', 'no progress'),
    );
    expect(lives.map(({ subject, anomalies }) => [subject, anomalies.length])).toEqual([
      ['order 1003', 3],
      ['the run as a whole', 1],
    ]);
  });
});
