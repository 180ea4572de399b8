import type { MessageTableError } from '../../errors.js';
import { checkRabbitConfig } from './config.js';

const CONFIG = { exchange: 'orders', routingKey: 'created' };
const check = (headers: Record<string, string>): unknown => checkRabbitConfig(CONFIG, { headers });

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'accepted';
  } catch (error) {
    return (error as MessageTableError).code;
  }
};

describe('Headers that would break the frame or the channel', () => {
  it.each([
    ['CC', { CC: 'orders' }],
    ['BCC', { BCC: 'orders' }],
    ['a name longer than a short string', { ['x'.repeat(256)]: '1' }],
    ['a name with a line end', { 'x\n': '1' }],
    ['no name', { '': '1' }],
    ['more than a frame holds', { large: 'x'.repeat(48 * 1024) }],
  ])('when they have %s, then the command is refused', (_, headers) => {
    expect(codeOf(() => check(headers))).toBe('HEADERS_INVALID');
  });

  it('when they are texts of any characters, then they are taken', () => {
    expect(check({ traceparent: '00-1-1-01', note: 'zwölf\r\nZeilen' })).toEqual({ ...CONFIG, channelConfig: null });
  });
});
