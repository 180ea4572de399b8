import { SpanKind, trace } from '@opentelemetry/api';

import { channelMap } from '../channels/channel-map.js';
import { checkCommand, type CheckedCommand, type TaskCommand, type TaskCommandFor } from '../producer/command.js';
import { CollectedSpans, parentOf, traceAt } from '../testkit/collected-spans.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { traceAccepts } from './trace-accept.js';

const LIMITS = { channels: channelMap([new ScriptedChannel()]), maxContentBytes: 1_000, maxRetryCount: 5 };
const ELSEWHERE = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`;

const check = (command: TaskCommand): CheckedCommand => checkCommand(command, LIMITS);

const aCommand = (fields: Fields = {}): TaskCommand => ({
  ...{ taskName: 'task', channel: 'rabbitmq', content: { n: 1 }, config: { exchange: 'shop', routingKey: 'paid' } },
  ...fields,
});

type Fields = Partial<TaskCommandFor<'rabbitmq'>>;

/** What is inserted of commands with these fields. */
async function inserted(...fields: Fields[]): Promise<readonly CheckedCommand[]> {
  const commands = fields.map((some, index) => aCommand({ messageId: `m${String(index)}`, ...some }));
  return traceAccepts(commands, check, (traced) => Promise.resolve(traced));
}

describe('accepting while traces are collected', () => {
  let spans: CollectedSpans;
  beforeEach(() => (spans = new CollectedSpans()));
  afterEach(() => spans[Symbol.dispose]());

  it("when a message is accepted, then its span is a part of the caller's trace, and stored with it", async () => {
    const [[command], caller] = await spans.inside(async (span) => [await inserted({ headers: { a: '1' } }), span]);
    const [created] = spans.of('create');
    expect(created).toMatchObject({ name: 'create shop:paid', kind: SpanKind.PRODUCER });
    expect(created && parentOf(created)).toBe(caller.spanContext().spanId);
    expect(created?.attributes).toEqual({
      'messaging.system': 'rabbitmq',
      'messaging.operation.type': 'create',
      'messaging.operation.name': 'create',
      'messaging.destination.name': 'shop:paid',
      'messaging.rabbitmq.destination.routing_key': 'paid',
      'messaging.message.id': 'm0',
      'counterfoil.task_name': 'task',
      'counterfoil.outcome': 'accepted',
    });
    expect(command?.headers).toEqual({ a: '1', ...(created && traceAt(created)) });
  });

  it('when messages of several traces are accepted together, then each goes on with its own', async () => {
    const traces = [1, 2].map(() => spans.inside((span) => traceAt(span)));
    const commands = await spans.inside(() => inserted(...traces.map((of) => ({ trace: of }))));
    const idOf = (traceparent: string | undefined): string | undefined => traceparent?.split('-')[1];
    expect(commands.map(({ headers }) => idOf(headers['traceparent']))).toEqual(
      traces.map(({ traceparent }) => idOf(traceparent)),
    );
  });

  it('when nobody around traces, then the message begins a trace', async () => {
    const [command] = await inserted({});
    const [created] = spans.of('create');
    expect(created && parentOf(created)).toBeUndefined();
    expect(command?.headers).toEqual(created && traceAt(created));
  });

  it('when the caller put a trace into the headers, then it stays as it is', async () => {
    const headers = { Traceparent: ELSEWHERE, tracestate: 'a=1' };
    const [command] = await spans.inside(() => inserted({ headers }));
    expect(command?.headers).toEqual(headers);
    expect(spans.of('create')).toEqual([]);
  });

  it.each(['00-1-1-01', ''])(
    'when the caller put %p into the headers, then it is as if there were none',
    async (text) => {
      const headers = { Traceparent: text, tracestate: 'a=1', b: '2' };
      const [command] = await spans.inside(() => inserted({ headers }));
      const [created] = spans.of('create');
      expect(command?.headers).toEqual({ b: '2', ...(created && traceAt(created)) });
    },
  );

  it.each([{ trace: { traceparent: 'no trace' } }, { trace: null as never }])(
    'when the command says %j, then the message belongs to the trace of the running code',
    async (fields) => {
      const caller = await spans.inside(async (span) => (await inserted(fields), span));
      const [created] = spans.of('create');
      expect(created && parentOf(created)).toBe(caller.spanContext().spanId);
    },
  );

  it('when its headers are as large as the channel takes, then the message is accepted without', async () => {
    const headers = { large: 'x'.repeat(49_100) };
    expect((await inserted({ headers }))[0]?.headers).toEqual(headers);
    expect(spans.of('create')).toHaveLength(1);
  });

  it('when a content makes its own JSON, then it does so once', async () => {
    let made = 0;
    const [command] = await inserted({ content: { toJSON: () => (made += 1) } });
    expect([command?.content, made]).toEqual(['1', 1]);
  });

  it('when it cannot be inserted, then the span says why, and the caller gets the error', async () => {
    const error = new Error('no such table');
    await expect(traceAccepts([aCommand()], check, () => Promise.reject(error))).rejects.toBe(error);
    expect(spans.of('create')).toMatchObject([
      { status: { message: 'no such table' }, attributes: { 'counterfoil.outcome': 'error', 'error.type': 'error' } },
    ]);
  });
});

it('when a command is wrong, then nothing of its batch is traced', async () => {
  using spans = new CollectedSpans();
  await expect(inserted({}, { taskName: '' })).rejects.toThrow('taskName');
  expect(spans.ended).toEqual([]);
});

describe('accepting while nobody collects traces', () => {
  it('when a message is accepted, then it is inserted as it was checked, and no tracer is asked for', async () => {
    const asked = jest.spyOn(trace, 'getTracer');
    const checked = jest.fn(check);
    const insert = jest.fn(async (commands: readonly CheckedCommand[]) => commands);
    const [command] = await traceAccepts([aCommand({ trace: { traceparent: ELSEWHERE } })], checked, insert);
    expect(command).toBe(checked.mock.results[0]?.value);
    expect(command?.headers).toEqual({});
    expect(checked).toHaveBeenCalledTimes(1);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });
});
