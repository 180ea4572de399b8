import type { Database } from '../database/database.js';
import { createEvents } from '../observe/events.js';
import { CollectedSpans } from '../testkit/collected-spans.js';
import { aReceived } from '../testkit/consumer-world.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { asRetryClaim } from './consumer-message.js';
import { Republisher } from './republisher.js';

it('when a message is sent through its queue again, then that is in its trace, and its header is the same', async () => {
  using spans = new CollectedSpans();
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const channel = new ScriptedChannel();
  const claim = asRetryClaim({
    ...{ id: '1', version: 2, retryCount: 1, maxRetryCount: 5 },
    received: aReceived({ messageId: 'm1', headers: { traceparent }, receivedBy: 'q' }),
  });
  const common = { queue: 'q', channel, depth: () => Promise.resolve(0), events: createEvents() };
  const republisher = new Republisher({ ...common, leaseMs: 1_000, prefetch: 1 });
  expect(await republisher.publish(undefined as unknown as Database, claim)).toBe('published');
  expect(channel.sendings[0]?.message.headers).toMatchObject({ traceparent, 'x-redelivery': 2 });
  const [sent] = spans.of('send');
  expect(sent?.spanContext().traceId).toBe('1'.repeat(32));
  expect(sent?.attributes).toMatchObject({ 'messaging.message.id': 'm1', 'counterfoil.attempt': 2 });
});
