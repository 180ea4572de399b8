import { CONFIRMED, refused } from './channels/outcome.js';
import type { Effect } from './consumer/effect.js';
import { createRedeliveryTask } from './consumer/redelivery-task.js';
import { selectRows } from './database/rows.js';
import type { Trace } from './observe/trace-context.js';
import { CollectedSpans, parentOf, traceAt } from './testkit/collected-spans.js';
import { aReceived, ConsumerWorld, RETRY } from './testkit/consumer-world.js';
import { aCommand, TableWorld } from './testkit/table-world.js';

let spans: CollectedSpans;
beforeEach(() => (spans = new CollectedSpans()));
afterEach(() => spans[Symbol.dispose]());

describe('a message carries its trace through the table', () => {
  let world: TableWorld;
  beforeEach(async () => (world = await TableWorld.open()));
  afterEach(() => world[Symbol.asyncDispose]());

  const storedHeaders = async (): Promise<unknown[]> =>
    (
      await selectRows<{ headers: string | null }>(world.db.knex, 'SELECT headers FROM producer_message ORDER BY id')
    ).map(({ headers }) => (headers === null ? null : (JSON.parse(headers) as unknown)));

  it('when a relay sends it later, then in the trace in which it was accepted, and as it is stored', async () => {
    const table = await world.producer();
    const messageId = 'later';
    const caller = await spans.inside(
      async (span) => (await world.accept(table, { messageId, headers: { a: '1' } }), span),
    );
    caller.end();
    const [created] = spans.of('create');
    const stored = { a: '1', ...(created && traceAt(created)) };
    expect(await storedHeaders()).toEqual([stored]);
    world.channel.automatic = (_, alone) =>
      world.channel.sendings.length === 1 && !alone ? refused('busy') : CONFIRMED;
    await world.relay();
    await world.channel.whenSent(1);
    await world.until(messageId, ({ status }) => status === 'PENDING');
    await world.makeDue();
    await world.until(messageId, ({ status }) => status === 'SENT');
    expect(world.channel.sendings.map(({ message }) => message.headers)).toEqual([stored, stored]);
    expect(spans.of('send').map(({ attributes }) => attributes['counterfoil.outcome'])).toEqual([
      'refused',
      'confirmed',
    ]);
    expect(spans.of('send').map(({ attributes }) => attributes['counterfoil.attempt'])).toEqual([1, 2]);
    for (const sent of spans.of('send')) {
      expect(sent.spanContext().traceId).toBe(caller.spanContext().traceId);
      expect(parentOf(sent)).toBe(created?.spanContext().spanId);
    }
  });

  it('when it goes by the fast path, then likewise', async () => {
    const table = await world.producer({ fastPathPlaces: 10 });
    const { messageId } = await spans.inside(() => world.accept(table));
    await world.until(messageId, ({ status }) => status === 'SENT');
    const [created] = spans.of('create');
    const [sent] = spans.of('send');
    expect(created && sent && parentOf(sent)).toBe(created?.spanContext().spanId);
  });

  it('when the same command comes again under another trace, then the stored one stays', async () => {
    const table = await world.producer();
    const [messageId, content] = ['again', 'same'];
    await spans.inside(() => world.accept(table, { messageId, content }));
    const before = await storedHeaders();
    await spans.inside(() => world.accept(table, { messageId, content }));
    expect(await storedHeaders()).toEqual(before);
  });

  it('when nobody collects traces, then nothing of them is stored', async () => {
    spans[Symbol.dispose]();
    const table = await world.producer();
    const trace = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    await world.accept(table, { trace });
    await world.accept(table, { headers: { traceparent: 'kept as it is' } });
    expect(await storedHeaders()).toEqual([null, { traceparent: 'kept as it is' }]);
  });

  it('when an effect sends something, then that is in the trace of its message, though several are handled at once', async () => {
    await using notes = await ConsumerWorld.open();
    const table = await world.producer({ db: notes.db });
    const answering: Effect<string> = {
      ...{ name: 'test', maxRetryCount: 5, read: ({ messageId }) => messageId },
      apply: async (trx, items) => {
        const commands = items.map(({ messageId, trace }) => aCommand({ messageId: `answer-${messageId}`, trace }));
        await table.acceptor.acceptAll(trx, commands);
      },
    };
    const asked = ['1', '2'].map((digit) =>
      aReceived({ headers: { traceparent: `00-${digit.repeat(32)}-${digit.repeat(16)}-01` } }),
    );
    expect(await notes.inbox(answering, {}, notes.db).handle(asked)).toEqual(['success', 'success']);
    const handled = spans.of('process');
    expect(spans.of('create').map((span) => [span.spanContext().traceId, parentOf(span)])).toEqual(
      ['1', '2'].map((digit, index) => [digit.repeat(32), handled[index]?.spanContext().spanId]),
    );
  });
});

describe('a message that is handled again stays in its trace', () => {
  it('when its first attempt fails and its redelivery does not, then both are in it, and each says which it is', async () => {
    await using world = await ConsumerWorld.open();
    const traces: (Trace | undefined)[] = [];
    const failingOnce: Effect<string> = {
      ...{ name: 'test', maxRetryCount: 5, read: ({ messageId }) => messageId },
      apply: async (_, items) => {
        traces.push(...items.map(({ trace }) => trace));
        if (traces.length === 1) throw new Error('no product yet');
      },
    };
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const message = aReceived({ headers: { traceparent } });
    expect(await world.inbox(failingOnce).handle([message])).toEqual(['PENDING_RETRY']);
    await world.makeDue();
    const task = { db: world.db, effects: [failingOnce], retry: RETRY, leaseMs: 30_000, pollMs: 10 };
    await world.run([createRedeliveryTask(task)]);
    await world.untilNote(message.messageId, ({ status }) => status === 'SUCCESS');
    const handled = await spans.until('process', 2);
    expect(handled.map(({ attributes }) => attributes['counterfoil.outcome'])).toEqual(['PENDING_RETRY', 'success']);
    expect(handled.map(({ attributes }) => attributes['counterfoil.attempt'])).toEqual([1, 2]);
    expect(handled.map(({ status }) => status.message)).toEqual(['no product yet', undefined]);
    for (const span of handled) expect(parentOf(span)).toBe('2'.repeat(16));
    expect(traces).toEqual(handled.map(traceAt));
  });
});
