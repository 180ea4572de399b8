import { readFlags } from './flags.js';

describe('flags of the load test', () => {
  it('when nothing is said, then it is the steady profile on a private system', () => {
    expect(readFlags([])).toMatchObject({ profile: 'steady', url: null, inventoryUrl: null, tool: null });
  });

  it('when only the order service is named, then the inventory service is on the next port', () => {
    expect(readFlags(['--url', 'http://10.0.0.1:3001/'])).toMatchObject({
      url: 'http://10.0.0.1:3001',
      inventoryUrl: 'http://10.0.0.1:3002',
    });
  });

  it('when both are named, then both are taken', () => {
    const args = ['--url', 'https://orders.example', '--inventory-url', 'https://inventory.example'];
    expect(readFlags(args)).toMatchObject({ url: 'https://orders.example', inventoryUrl: 'https://inventory.example' });
  });

  it.each([
    [['--url', 'orders'], '--url is not a URL'],
    [['--url', 'https://orders.example'], '--url has no port'],
    [['--inventory-url', 'http://127.0.0.1:1'], '--inventory-url needs --url'],
    [['--rate', '0'], '--rate must be a whole number'],
    [['--seconds', 'x'], '--seconds must be a whole number'],
    [['--with', 'ab'], '--with must be one of'],
    [['--profil', 'x'], 'profil'],
  ])('when a flag is wrong (%p), then it says which', (args, says) => {
    expect(() => readFlags(args)).toThrow(says);
  });
});
