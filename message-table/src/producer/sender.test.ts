import { busy, CONFIRMED, lacking, refused, unknown, type Outcome } from '../channels/outcome.js';
import { createEvents } from '../observe/events.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { Destinations } from './destinations.js';
import { asClaim } from './producer-message.js';
import { Sender, type ClaimedMessage } from './sender.js';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const message = (): ClaimedMessage => ({
  claim: asClaim({
    ...{ id: '1', version: 3, messageId: 'm1', retryCount: 2, maxRetryCount: 5 },
    leaseEndsMs: performance.now() + 60_000,
  }),
  channel: 'rabbitmq',
  outgoing: {
    ...{ id: '1', version: 3, messageId: 'm1', taskName: 'task', content: '{}', createdMs: 0, channelConfig: null },
    ...{ exchange: 'e', routingKey: 'k', headers: { traceparent: TRACE } },
  },
});

const FACTS = { messageId: 'm1', taskName: 'task', channel: 'rabbitmq', attempt: 3, traceparent: TRACE };

/** What is told of one attempt that ends so. */
async function told(outcome: Outcome): Promise<unknown[]> {
  const events = createEvents();
  const facts: unknown[] = [];
  events.on('attemptConfirmed', (fact) => facts.push(['confirmed', fact]));
  events.on('attemptFailed', (fact) => facts.push(['failed', fact]));
  const channel = new ScriptedChannel();
  channel.automatic = () => outcome;
  const settler = { settle: () => Promise.resolve('settled' as const), size: 0 };
  const channels = new Map([['rabbitmq', channel]]);
  const sender = new Sender({ channels, settler, events, destinations: new Destinations(), attemptTimeoutMs: 1_000 });
  await sender.dispatch(message());
  return facts;
}

const aTime = expect.any(Number) as number;

describe('what is told of an attempt', () => {
  it('when it is confirmed, then once, with the channel and how long it took', async () => {
    expect(await told(CONFIRMED)).toEqual([['confirmed', { ...FACTS, tookMs: aTime }]]);
  });

  it.each<[Outcome, string, number | null]>([
    [refused('no'), 'refused', aTime],
    [unknown('silence'), 'unknown', aTime],
    [lacking('no secret'), 'lacking', null],
    [busy('enough'), 'busy', null],
  ])(
    'when it ends %j, then once, as %s, and with a time only where something was sent',
    async (outcome, kind, tookMs) => {
      const { reason } = outcome as { readonly reason: string };
      expect(await told(outcome)).toEqual([['failed', { ...FACTS, kind, reason, to: 'PENDING', tookMs }]]);
    },
  );
});
