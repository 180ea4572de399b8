import type { Outgoing } from '../channels/channel.js';
import { channelMap } from '../channels/channel-map.js';
import { channelTo } from '../channels/http/testing/sending.js';
import { publishOptions } from '../channels/rabbitmq/publication.js';
import { ScriptedChannel } from '../testkit/scripted-channel.js';
import { aCommand } from '../testkit/table-world.js';
import { checkCommand, type CheckedCommand, type TaskCommand } from './command.js';

const RABBIT = { exchange: 'orders', routingKey: 'created' };
const HTTP = { url: 'https://hooks.example/orders' };

const CIRCULAR: Record<string, unknown> = {};
CIRCULAR['self'] = CIRCULAR;

const channels = channelMap([new ScriptedChannel(), channelTo(['hooks.example:443'])]);
/** The error that stands for a command which was not accepted. */
const saying = (code: string, text = ''): Error =>
  expect.objectContaining({ code, message: expect.stringContaining(text) }) as Error;

const check = (command: unknown): CheckedCommand =>
  checkCommand(aCommand(command as TaskCommand), { channels, maxContentBytes: 1_000, maxRetryCount: 5 });

describe('The command at the door', () => {
  it('when the channel is rabbitmq, then exchange and routing key go into their columns', () => {
    expect(check({ channel: 'rabbitmq', config: RABBIT })).toMatchObject({
      ...RABBIT,
      channelConfig: null,
      destination: 'rabbitmq orders created',
    });
  });

  it('when the channel is http, then its config is JSON text in one spelling, and the host is the destination', () => {
    const headers = { 'X-B': '2', 'x-a': '1' };
    expect(check({ channel: 'http', config: { headers, url: 'https://HOOKS.example:443/orders' } })).toMatchObject({
      exchange: '',
      routingKey: '',
      channelConfig: '{"url":"https://hooks.example/orders","method":"POST","headers":{"x-a":"1","x-b":"2"}}',
      destination: 'http https://hooks.example:443',
    });
  });

  it('INB-04: when a content is larger than a statement may be on this server, then it is refused, and no outage', () => {
    const limits = { channels, maxContentBytes: 1_000, maxRetryCount: 5, statementBytes: 200 };
    expect(() => checkCommand(aCommand({ content: 'x'.repeat(201) }), limits)).toThrow(
      saying('CONTENT_TOO_LARGE', 'max_allowed_packet'),
    );
    expect(() => checkCommand(aCommand({ content: 'x'.repeat(1_001) }), { ...limits, statementBytes: 2_000 })).toThrow(
      saying('CONTENT_TOO_LARGE', 'MAX_CONTENT_BYTES'),
    );
    expect(checkCommand(aCommand({ content: 'x'.repeat(200) }), limits).content).toHaveLength(200);
  });

  it('when no channel of this process has the name, then the command is refused', () => {
    expect(() => check({ channel: 'kafka', config: RABBIT })).toThrow(saying('CHANNEL_UNKNOWN', 'rabbitmq, http'));
  });

  it.each([
    ['rabbitmq', HTTP],
    ['http', RABBIT],
    ['rabbitmq', { ...RABBIT, url: HTTP.url }],
    ['rabbitmq', { ...RABBIT, routingKey: 'zwölf' }],
    ['rabbitmq', { ...RABBIT, routingKey: 'x'.repeat(101) }],
    ['rabbitmq', undefined],
    ['rabbitmq', null],
    ['http', undefined],
    ['http', 7n],
  ])('when the channel is %s and the config %p, then the command is refused', (channel, config) => {
    expect(() => check({ channel, config })).toThrow(saying('CHANNEL_CONFIG_INVALID'));
  });

  it.each([
    [{ messageId: ' x' }, 'messageId'],
    [{ messageId: 7 }, 'messageId'],
    [{ taskName: '' }, 'taskName'],
    [{ content: undefined }, 'content'],
    [{ content: { quantity: 1n } }, 'content'],
    [{ content: CIRCULAR }, 'content'],
    [{ maxRetryCount: 0 }, 'maxRetryCount'],
    [{ maxRetryCount: 2 ** 31 }, 'maxRetryCount'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ delayMs: Number.MAX_SAFE_INTEGER }, 'delayMs'],
  ])('when a field is %p, then the command is refused and %s named', (fields, field) => {
    expect(() => check(fields)).toThrow(saying('COMMAND_INVALID', field));
  });
});

describe('Headers with names that objects have', () => {
  const headersWith = (name: string): unknown => JSON.parse(`{ "${name}": "x" }`);

  it.each(['rabbitmq', 'http'])(
    'when they have __proto__, then the command for %s is refused, for it would be lost on the way',
    (channel) => {
      const config = channel === 'http' ? HTTP : RABBIT;
      expect(() => check({ channel, config, headers: headersWith('__proto__') })).toThrow(
        saying('HEADERS_INVALID', '__proto__'),
      );
    },
  );

  it.each(['constructor', 'prototype', 'toString'])('when they have %s, then it goes along', (name) => {
    const { headers } = check({ channel: 'rabbitmq', config: RABBIT, headers: headersWith(name) });
    expect(JSON.stringify(publishOptions({ headers } as Outgoing, '1:1').headers)).toContain(`"${name}":"x"`);
  });
});

describe('The channels of a process', () => {
  it('when two have one name, or one does not fit its column, then the process does not start', () => {
    expect(() => channelMap([new ScriptedChannel(), new ScriptedChannel()])).toThrow('two channels');
    for (const name of ['x'.repeat(21), 'my rabbit'])
      expect(() => channelMap([new ScriptedChannel(name)])).toThrow('20 printable ASCII characters without blanks');
  });
});
