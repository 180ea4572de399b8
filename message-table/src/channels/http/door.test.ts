import type { MessageTableError } from '../../errors.js';
import type { Channel, StoredConfig } from '../channel.js';
import { channelTo } from './testing/sending.js';

const HOOK = 'hooks.example:443';
const url = 'https://hooks.example/orders';

type Door = (config: unknown, headers?: Record<string, string>) => StoredConfig;
const doorOf =
  (channel: Channel): Door =>
  (config, headers = {}) =>
    channel.checkConfig(config, { headers });
const door = doorOf(channelTo([HOOK], { allowPrivate: [], secrets: (name) => ({ HOOK: 'Bearer s3cr3t' })[name] }));

const faultOf = (act: () => unknown): { code: string; message: string } => {
  try {
    act();
  } catch (error) {
    const { code, message } = error as MessageTableError;
    return { code, message };
  }
  return { code: 'accepted', message: '' };
};

// Each is 127.0.0.1, 10.0.0.1, 169.254.169.254, 0.0.0.0 or one of their IPv6 forms to somebody.
const SPELLINGS = `2130706433 0x7f000001 017700000001 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7F.1 127.0.0.1. 0x7f.1.
  ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 %31%32%37.0.0.1 10.1 012.1 0xa000001 167772161 2852039166 0xa9fea9fe 0251.0376.0251.0376
  169.254.43518 0 0x0 0.0.0.0 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1]
  [::127.0.0.1] [64:ff9b::169.254.169.254] [64:ff9b:1::a00:1] [2002:a00:1::] [2001:0:53aa:64c:0:7fff:ffff:fffe] [fe80::1]
  [fd00:ec2::254] [::ffff:0:127.0.0.1] [ff02::1]`.split(/\s+/);

describe('Where a message may be sent to is decided at the door', () => {
  it.each(SPELLINGS)('SSRF-01: when the host is spelled %s, then it is refused unless listed', (host) => {
    expect(faultOf(() => door({ url: `https://${host}/orders` })).code).toBe('DESTINATION_NOT_ALLOWED');
  });

  it.each(SPELLINGS)(
    'SSRF-01: when %s is listed but not as private, then its number counts and it is refused',
    (host) => {
      const { hostname } = new URL(`https://${host}/`);
      const listed = doorOf(channelTo([`${hostname}:443`], { allowPrivate: [] }));
      const { code, message } = faultOf(() => listed({ url: `https://${host}/orders` }));
      expect([code, message]).toEqual(['DESTINATION_NOT_ALLOWED', expect.stringMatching(/its address \S+ is /)]);
    },
  );

  it('SSRF-01: when an address is listed as private, then every spelling of it is taken', () => {
    const listed = doorOf(channelTo(['127.0.0.1:443'], { allowPrivate: ['127.0.0.1:443'] }));
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '127.0.0.1.'])
      expect(listed({ url: `https://${host}/` }).channelConfig).toContain('"https://127.0.0.1/"');
  });

  it.each([
    'https://hooks.example.evil.example/',
    'https://hooks.example:444/',
    'http://hooks.example/',
    'https://hooks.example.:443/',
    'https://evil.example/?hooks.example:443',
    'https://evil.example/#hooks.example:443',
    'https://evil.example\\@hooks.example:443/',
    'https://hooks.exаmple/', // a Cyrillic а
    'https://hooks.example%2eevil.example/',
    'https://hooks.example:443@evil.example/',
    'https://user:pass@hooks.example/',
    'https:hooks.example@evil.example/',
    'ftp://hooks.example:443/',
    'file:///etc/passwd',
    '//hooks.example/',
    'https://',
  ])('SSRF-01: when the URL is %s, then it is not the one that is listed', (trick) => {
    expect(faultOf(() => door({ url: trick })).code).toMatch(/^(DESTINATION_NOT_ALLOWED|CHANNEL_CONFIG_INVALID)$/);
  });

  it.each(['https://HOOKS.example/x', 'https://hooks.example:443/x', 'https://ｈｏｏｋｓ.example/x'])(
    'when the URL is another spelling of the listed host (%s), then the URL is stored as it is normally written',
    (spelling) => {
      expect(door({ url: spelling }).channelConfig).toBe(
        '{"url":"https://hooks.example/x","method":"POST","headers":{}}',
      );
    },
  );

  it('when the path has line ends or blanks, then they are encoded or gone: a request line cannot be broken', () => {
    expect(door({ url: 'https://hooks.example/a b\r\nHost: evil' }).channelConfig).toContain('/a%20bHost:%20evil"');
  });
});

describe('What a message may bring along is decided at the door', () => {
  it.each(['Idempotency-Key', 'Host', 'Content-Length', 'Authorization', 'Transfer-Encoding', 'traceparent', 'Cookie'])(
    'WH-04: when config.headers sets %s, then the command is refused',
    (name) => {
      expect(faultOf(() => door({ url, headers: { [name]: 's3cr3t' } }))).toEqual({
        code: 'CHANNEL_CONFIG_INVALID',
        message: `config.headers must not set ${name.toLowerCase()}`,
      });
    },
  );

  it.each([
    { 'x-a': 'a\r\nHost: evil' },
    { 'x-a\r\nHost': 'evil' },
    { 'x-a': 'zwölf' },
    { 'x-a': '\u0000' },
    { '': 'x' },
  ])('WH-04: when config.headers is %j, which would break the request, then the command is refused', (headers) => {
    expect(faultOf(() => door({ url, headers })).code).toBe('CHANNEL_CONFIG_INVALID');
  });

  it.each([{ 'idempotency-key': 'x' }, { traceparent: 'a\r\nHost: evil' }, { 'x-tenant': 'a' }])(
    'WH-04: when the headers of the message are %j, then the command is refused: they would not arrive',
    (headers) => {
      expect(faultOf(() => door({ url }, headers)).code).toBe('HEADERS_INVALID');
    },
  );

  it('when the message has a trace, then it is taken', () => {
    expect(door({ url }, { traceparent: '00-1-1-01', tracestate: 'a=1' }).channelConfig).not.toBeNull();
  });

  it('when a secret is named, then only its name is stored', () => {
    const { channelConfig } = door({ url, authorization: 'secret:HOOK' });
    expect(channelConfig).toContain('"authorization":"secret:HOOK"');
    expect(channelConfig).not.toContain('s3cr3t');
  });

  it.each([
    ['secret:NONE', 'SECRET_UNKNOWN'],
    ['Bearer s3cr3t', 'CHANNEL_CONFIG_INVALID'],
    ['secret:', 'CHANNEL_CONFIG_INVALID'],
  ])('when authorization is %s, then the command is refused and no text repeats it', (authorization, code) => {
    const fault = faultOf(() => door({ url, authorization }));
    expect(fault.code).toBe(code);
    expect(fault.message).not.toContain('s3cr3t');
  });
});
