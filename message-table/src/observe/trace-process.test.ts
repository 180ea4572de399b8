import { SpanKind } from '@opentelemetry/api';

import { asRetryClaim, type Received } from '../consumer/consumer-message.js';
import { ended, endedFailing, knownAs, type Ended } from '../consumer/ending.js';
import { CollectedSpans, parentOf, traceAt } from '../testkit/collected-spans.js';
import { aReceived } from '../testkit/consumer-world.js';
import { traceRedelivery, traceTogether } from './trace-process.js';

const of = (digit: string): string => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const received = (digit: string, fields: Partial<Received> = {}): Received =>
  aReceived({ messageId: digit, headers: { traceparent: of(digit) }, receivedBy: 'inventory.deduct', ...fields });

const endings = (...all: [string, Ended][]): Map<string, Ended> => new Map(all);
const claimOf = (message: Received) =>
  asRetryClaim({ id: '1', version: 2, retryCount: 1, maxRetryCount: 5, received: message });

describe('handling while traces are collected', () => {
  let spans: CollectedSpans;
  beforeEach(() => (spans = new CollectedSpans()));
  afterEach(() => spans[Symbol.dispose]());

  it('when messages of several traces are handled together, then each has its span in its own trace', async () => {
    let given: readonly Received[] = [];
    await traceTogether([received('1'), received('2')], async (messages) => {
      given = messages;
      return endings(['1', ended('success')], ['2', knownAs('FAILED')]);
    });
    const handled = spans.of('process');
    expect(handled.map((span) => [span.spanContext().traceId, parentOf(span)])).toEqual([
      ['1'.repeat(32), '1'.repeat(16)],
      ['2'.repeat(32), '2'.repeat(16)],
    ]);
    expect(handled[0]).toMatchObject({ name: 'process inventory.exchange:inventory.deduct', kind: SpanKind.CONSUMER });
    expect(handled.map(({ attributes }) => attributes['counterfoil.outcome'])).toEqual(['success', 'duplicate']);
    expect(handled[0]?.attributes).toMatchObject({
      'messaging.system': 'rabbitmq',
      'messaging.message.id': '1',
      'messaging.destination.name': 'inventory.exchange:inventory.deduct',
      'counterfoil.consumer': 'test',
      'counterfoil.attempt': 1,
    });
    expect(given.map((message) => message.trace)).toEqual(handled.map(traceAt));
  });

  it('when an attempt fails, then its span says why and what the note says', async () => {
    await traceTogether([received('1')], async () => endings(['1', endedFailing('PENDING_RETRY', 'no product')]));
    expect(spans.of('process')).toMatchObject([
      { status: { message: 'no product' }, attributes: { 'counterfoil.outcome': 'PENDING_RETRY' } },
    ]);
  });

  it('when the database is away, then the spans say so, and the error is the caller’s', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    await expect(traceTogether([received('1')], away)).rejects.toThrow('ECONNREFUSED');
    expect(spans.of('process')).toMatchObject([{ attributes: { 'counterfoil.outcome': 'error' } }]);
  });

  it.each(['00-1-1-01', 7])('when the header is %p, then the handling has a trace of its own', async (traceparent) => {
    await traceTogether([received('1', { headers: { traceparent } })], async () => endings());
    const [handled] = spans.of('process');
    expect(handled && parentOf(handled)).toBeUndefined();
    expect(handled?.attributes['counterfoil.outcome']).toBe('unstorable');
  });

  it('when it came over HTTP, then the span names the path', async () => {
    const way = { exchange: '', routingKey: '', receivedBy: 'http /deductions' };
    await traceTogether([received('1', way)], async () => endings(['1', ended('success')]));
    expect(spans.of('process')).toMatchObject([
      { name: 'process /deductions', attributes: { 'messaging.system': 'http' } },
    ]);
  });

  it('when it is redelivered, then that is in the trace of the first attempt, and says which attempt it is', async () => {
    const claim = claimOf(received('1'));
    await traceRedelivery(claim, async ({ trace, failed }) => {
      expect(trace?.traceparent).toContain('1'.repeat(32));
      failed('FAILED', 'no product');
      return 'failed';
    });
    await traceRedelivery(claim, async () => 'success');
    const away = (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    await expect(traceRedelivery(claim, away)).rejects.toThrow('ECONNREFUSED');
    expect(spans.of('process').map(({ attributes }) => attributes['counterfoil.outcome'])).toEqual([
      ...['FAILED', 'success', 'error'],
    ]);
    for (const span of spans.of('process')) {
      expect([span.spanContext().traceId, parentOf(span)]).toEqual(['1'.repeat(32), '1'.repeat(16)]);
      expect(span.attributes['counterfoil.attempt']).toBe(2);
    }
  });
});

it('when nobody collects traces, then the messages are handled as they came', async () => {
  const messages = [received('1')];
  const handle = jest.fn(async () => endings());
  await traceTogether(messages, handle);
  expect((handle.mock.calls as unknown[][])[0]?.[0]).toBe(messages);
  expect(await traceRedelivery(claimOf(received('1')), async ({ trace }) => typeof trace)).toBe('undefined');
});
