import { orderIdIn, outcomeOfAnswer, outcomeOfError, outcomeSoFar } from './outcome.js';

describe('the outcome of a request', () => {
  it.each([
    [201, '', 'ok'],
    [200, '', 'ok'],
    [400, '', 'fail'],
    [413, '', 'fail'],
    [415, '', 'fail'],
    [422, '', 'fail'],
    [429, '', 'fail'],
    [503, '{"code":"not-accepted"}', 'fail'],
    [503, '{"code":"outcome-unknown"}', 'info'],
    [503, 'Service Unavailable', 'info'],
    [500, '', 'info'],
    [404, '', 'info'],
  ] as const)('when the answer is %i %s, then it is %s', (status, body, outcome) => {
    expect(outcomeOfAnswer(status, body)).toBe(outcome);
  });

  it('when the request never had a connection, then it failed; when it was sent, then nobody knows', () => {
    expect(outcomeOfError(false)).toBe('fail');
    expect(outcomeOfError(true)).toBe('info');
  });

  it.each([
    ['{"id":"42","status":"PENDING"}', '42'],
    ['{"id":42}', '?'],
    ['{"id":"4 2"}', '?'],
    ['{}', '?'],
    ['Created', '?'],
  ])('when an order is acknowledged by %s, then it stands under %s', (body, orderId) => {
    expect(orderIdIn(body)).toBe(orderId);
  });

  it('when an unknown attempt is followed by a refused one, then the order is still unknown; an ok settles it', () => {
    expect(outcomeSoFar('info', 'fail')).toBe('info');
    expect(outcomeSoFar('info', 'ok')).toBe('ok');
    expect(outcomeSoFar(null, 'fail')).toBe('fail');
  });
});
