import { SpanKind, trace } from '@opentelemetry/api';

import { CONFIRMED, lacking, refused, unknown, type Outcome } from '../channels/outcome.js';
import type { Outgoing } from '../channels/channel.js';
import { CollectedSpans, parentOf } from '../testkit/collected-spans.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { traceSend } from './trace-send.js';

const [TRACE_ID, SPAN_ID] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const channel = new ScriptedChannel();

const outgoing = (fields: Partial<Outgoing> = {}): Outgoing => ({
  ...{ id: '1', version: 3, messageId: 'm1', taskName: 'task', content: '{}', createdMs: 0, channelConfig: null },
  ...{ exchange: 'shop', routingKey: 'paid', headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` } },
  ...fields,
});

const sending = (fields: Partial<Outgoing> = {}) => ({
  ...{ claim: { retryCount: 2 }, channel: 'rabbitmq', outgoing: outgoing(fields) },
});

describe('sending while traces are collected', () => {
  let spans: CollectedSpans;
  beforeEach(() => (spans = new CollectedSpans()));
  afterEach(() => spans[Symbol.dispose]());

  it('when a message is sent, whenever and by whom, then it is in the trace that is stored with it', async () => {
    const answered = await traceSend(sending(), channel, async () => {
      expect(trace.getActiveSpan()?.spanContext().traceId).toBe(TRACE_ID);
      return CONFIRMED;
    });
    expect(answered).toBe(CONFIRMED);
    const [sent] = spans.of('send');
    expect(sent).toMatchObject({ name: 'send shop:paid', kind: SpanKind.CLIENT, status: { code: 0 } });
    expect(sent?.spanContext().traceId).toBe(TRACE_ID);
    expect(sent && parentOf(sent)).toBe(SPAN_ID);
    expect(sent?.attributes).toMatchObject({
      'messaging.message.id': 'm1',
      'messaging.destination.name': 'shop:paid',
      'counterfoil.task_name': 'task',
      'counterfoil.attempt': 3,
      'counterfoil.outcome': 'confirmed',
    });
  });

  it.each<[Outcome, string]>([
    [refused('unroutable'), 'refused'],
    [unknown('no\nanswer'), 'unknown'],
    [lacking('no secret'), 'lacking'],
  ])('when the outcome is %j, then the span says so and why', async (outcome, kind) => {
    expect(await traceSend(sending(), channel, async () => outcome)).toBe(outcome);
    expect(spans.of('send')).toMatchObject([
      {
        status: { code: 2, message: expect.stringMatching(/^(unroutable|no answer|no secret)$/) },
        attributes: { 'counterfoil.outcome': kind, 'error.type': kind },
      },
    ]);
  });

  it.each([{}, { traceparent: '00-1-1-01' }])(
    'when %j is stored, then the attempt has a trace of its own',
    async (headers) => {
      await spans.inside(() => traceSend(sending({ headers }), channel, async () => CONFIRMED));
      const [sent] = spans.of('send');
      expect(sent && parentOf(sent)).toBeUndefined();
    },
  );

  it('when neither exchange nor routing key name the destination, then the channel does, and never a whole URL', async () => {
    const to = new ScriptedChannel('http');
    Object.assign(to, { destinationOf: () => 'https://hooks.example:443' });
    await traceSend({ ...sending({ exchange: '', routingKey: '' }), channel: 'http' }, to, async () => CONFIRMED);
    expect(spans.of('send')).toMatchObject([
      { name: 'send https://hooks.example:443', attributes: { 'messaging.system': 'http' } },
    ]);
  });

  it('when a channel breaks its promise, then the span ends and the error is its sender’s', async () => {
    const broken = (): Promise<Outcome> => Promise.reject(new Error('a bug'));
    await expect(traceSend(sending(), channel, broken)).rejects.toThrow('a bug');
    expect(spans.of('send')).toMatchObject([{ attributes: { 'counterfoil.outcome': 'error' } }]);
  });
});

it('when nobody collects traces, then it is sent, and no tracer is asked for', async () => {
  const asked = jest.spyOn(trace, 'getTracer');
  const answer = Promise.resolve(CONFIRMED);
  expect(await traceSend(sending(), channel, () => answer)).toBe(CONFIRMED);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});
