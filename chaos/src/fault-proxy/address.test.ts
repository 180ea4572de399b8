import { joinAddress, resolveListen, splitAddress } from './address.js';

describe('addresses are read as the original reads them', () => {
  it.each([
    ['127.0.0.1:80', { host: '127.0.0.1', port: 80 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['nowhere', { host: '', port: 0 }],
    ['host:http', { host: 'host', port: 0 }],
  ])('when it is %s, then host and port are %j', (text, address) => {
    expect(splitAddress(text)).toEqual(address);
  });

  it.each([
    ['localhost:80', '127.0.0.1:80'],
    ['0.0.0.0:80', '[::]:80'],
    [':80', '[::]:80'],
    ['', '[::]:0'],
  ])('when %j is listened on, then it is %s', async (text, resolved) => {
    expect(joinAddress(await resolveListen(text))).toBe(resolved);
  });

  it.each(['nowhere', '127.0.0.1:99999', 'no.such.host.invalid:80'])(
    'when it is %s, then it is refused',
    async (text) => {
      await expect(resolveListen(text)).rejects.toThrow(/^listen tcp: /);
    },
  );
});
