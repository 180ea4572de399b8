import fc from 'fast-check';

import type { MessageTableError } from '../../errors.js';
import { checkRabbitConfig, rabbitDestination } from './config.js';

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

describe('The name of a destination', () => {
  it.each([
    ['inventory.exchange', 'inventory.deduct', 'inventory.exchange inventory.deduct'],
    ['', 'inventory.deduct', ' inventory.deduct'],
    ['a', 'b c', 'a b c'],
    ['a b', 'c', 'a%20b c'],
    ['a%20b', 'c', 'a%2520b c'],
  ])("when the exchange is '%s' and the routing key '%s', then it is '%s'", (exchange, routingKey, name) => {
    expect(rabbitDestination({ exchange, routingKey })).toBe(name);
  });

  it('when exchanges or routing keys differ, then so do the names: a pause of one stops no other', () => {
    const key = fc.string({ unit: fc.constantFrom('a', ' ', '%', '2', '0', '5'), maxLength: 6 });
    const route = fc.record({ exchange: key, routingKey: key });
    fc.assert(
      fc.property(route, route, (one, other) => {
        const isSame = one.exchange === other.exchange && one.routingKey === other.routingKey;
        expect(rabbitDestination(one) === rabbitDestination(other)).toBe(isSame);
      }),
      { numRuns: 1_000 },
    );
  });
});
