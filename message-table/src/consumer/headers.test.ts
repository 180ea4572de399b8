import { createdMsOf, deathOf, headersIn, headersToRepublish, redeliveryOf } from './headers.js';

const DEATH = {
  count: 1,
  exchange: 'x',
  queue: 'q',
  reason: 'delivery_limit',
  'routing-keys': ['key'],
  time: { '!': 'timestamp' },
};

describe('headers come from outside', () => {
  it('when a message died twice, then the latest death counts', () => {
    expect(deathOf({ 'x-death': [DEATH, { ...DEATH, queue: 'before' }] })).toEqual({
      queue: 'q',
      exchange: 'x',
      routingKey: 'key',
      reason: 'delivery_limit',
    });
  });

  it.each([
    undefined,
    null,
    5,
    'x',
    [],
    [null],
    [5],
    [{}],
    [{ ...DEATH, 'routing-keys': [] }],
    [{ ...DEATH, queue: 5 }],
  ])('when x-death is %j, then it says nothing', (death) => {
    expect(deathOf({ 'x-death': death })).toBeNull();
  });

  it.each([undefined, null, '5', NaN, Infinity, {}])(
    'when a number is %p, then it is as if it were not there',
    (value) => {
      expect(createdMsOf({ 'x-created': value })).toBeUndefined();
      expect(redeliveryOf({ 'x-redelivery': value })).toBeUndefined();
    },
  );

  it.each([null, '', '{"a":', 'null', '[1]', '7'])(
    'INB-04: when the headers of a note are %j, then there are none, and its message keeps its turn',
    (text) => {
      expect(headersIn(text)).toEqual({});
    },
  );

  it('when a note has headers, then they are as they came', () => {
    expect(headersIn('{"x-created":7}')).toEqual({ 'x-created': 7 });
  });

  it('when a message is republished, then only what its last delivery added is left out', () => {
    const added = { 'x-death': [], 'x-first-death-queue': 'q', 'x-delivery-count': 3, 'x-attempt': '1:1' };
    const kept = { 'x-created': 7, traceparent: '00-1', 'x-attempts': 'mine' };
    expect(headersToRepublish({ ...added, ...kept })).toEqual(kept);
  });
});
