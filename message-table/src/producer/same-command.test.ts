import { contentHash, isSameCommand, type CommandFacts } from './same-command.js';

const COMMAND: CommandFacts = {
  taskName: 'inventory.deduct',
  channel: 'http',
  exchange: '',
  routingKey: '',
  channelConfig: '{"url":"https://hooks.example/"}',
  content: '{ "name": "Zwölf ✓" }',
  headers: '{"a":"1","traceparent":"00-1-1-01"}',
};
const STORED = { ...COMMAND, id: '1', messageId: 'm', contentHash: contentHash(COMMAND.content) };

describe('Whether a message that is there is the one that is asked for', () => {
  it.each([{}, { headers: '{"traceparent":"00-2-2-01","tracestate":"x=1","a":"1"}' }])(
    'when only %j is new about it, then it is the same',
    (change) => {
      expect(isSameCommand({ ...COMMAND, ...change }, STORED)).toBe(true);
    },
  );

  it.each([
    { taskName: 'other' },
    { channel: 'log' },
    { exchange: 'x' },
    { routingKey: 'x' },
    { channelConfig: '{"url":"https://hooks.example/other"}' },
    { channelConfig: null },
    { content: '{"name":"Zwölf ✓"}' },
    { headers: null },
    { headers: '{"a":"2"}' },
  ])('when %j is another, then it is another', (change) => {
    expect(isSameCommand({ ...COMMAND, ...change }, STORED)).toBe(false);
  });
});
