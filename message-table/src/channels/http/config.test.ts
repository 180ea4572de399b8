import { parseHttpConfig, type HttpTarget } from './config.js';
import { hostPortOf, hostPorts } from './host-port.js';

const url = 'https://Receiver.Example/hook?a=1';
const parse = (config: unknown): unknown => parseHttpConfig(JSON.stringify(config));
const SHAPE = 'config must be an object with url, method, headers, authorization and nothing else';
const URL_FAULT = 'config.url must be an http: or https: URL without user, password and fragment';

const FAULTS: readonly (readonly [config: unknown, fault: string])[] = [
  [null, SHAPE],
  [[], SHAPE],
  ['text', SHAPE],
  [{ url, hmac: 's3cr3t' }, SHAPE],
  [{}, URL_FAULT],
  [{ url: 7 }, URL_FAULT],
  [{ url: '/relative' }, URL_FAULT],
  [{ url: 'file:///etc/passwd' }, URL_FAULT],
  [{ url: 'https://me:s3cr3t@receiver.example/' }, URL_FAULT],
  [{ url: 'https://receiver.example/#part' }, URL_FAULT],
  [{ url: 'http://1.2.3.256/' }, URL_FAULT],
  [{ url, method: 'GET' }, 'config.method must be POST or PUT'],
  [{ url, headers: ['s3cr3t'] }, 'config.headers must be an object of texts'],
  [{ url, headers: { 'x-a': 1 } }, 'config.headers must be an object of texts'],
  [{ url, headers: { 'x a': 's3cr3t' } }, 'config.headers has a name that is not an HTTP token'],
  [{ url, headers: { 'x-a\r\nhost': 'x' } }, 'config.headers has a name that is not an HTTP token'],
  [{ url, headers: { 'x-a': 's3cr3t\r\nhost: evil' } }, 'config.headers has a value that is not printable ASCII'],
  [{ url, headers: { 'x-a': 'zwölf' } }, 'config.headers has a value that is not printable ASCII'],
  [{ url, headers: { 'x-a': '1', 'X-A': '2' } }, 'config.headers names one header twice'],
  [{ url, headers: { 'Content-Type': 's3cr3t' } }, 'config.headers has a content-type that is no media type'],
  [{ url, headers: { 'content-type': '' } }, 'config.headers has a content-type that is no media type'],
  [{ url, headers: { 'content-type': 'a/b\r\nhost: evil' } }, 'config.headers has a value that is not printable ASCII'],
  [{ url, authorization: 'Bearer s3cr3t' }, 'config.authorization must be secret:NAME'],
  [{ url, authorization: 'secret:' }, 'config.authorization must be secret:NAME'],
  [{ url, authorization: null }, 'config.authorization must be secret:NAME'],
];

describe("The channel's configuration of a message", () => {
  it('when all is given, then it is read, with names of headers in lower case', () => {
    const headers = { 'X-Tenant': 'a b' };
    expect(parse({ url, method: 'PUT', headers, authorization: 'secret:HOOK_TOKEN' })).toEqual({
      url: new URL(url),
      method: 'PUT',
      headers: { 'x-tenant': 'a b' },
      secretName: 'HOOK_TOKEN',
    });
  });

  it.each(['application/json', 'application/cloudevents+json; charset=utf-8', 'text/plain ;charset=us-ascii'])(
    'when its headers say that the content is %s, then that is taken',
    (type) => {
      expect(parse({ url, headers: { 'Content-Type': type } })).toMatchObject({ headers: { 'content-type': type } });
    },
  );

  it('when only the URL is given, then it is a POST', () => {
    expect(parse({ url })).toEqual({ url: new URL(url), method: 'POST', headers: {}, secretName: null });
  });

  it.each([null, '', '{', '{"url": "https://s3cr3t"'])('when it is %j, then it is no JSON', (text) => {
    expect(parseHttpConfig(text)).toEqual({ fault: 'config must be JSON' });
  });

  it.each(FAULTS)('when it is %j, then the fault is named and no value repeated', (config, fault) => {
    expect(parse(config)).toEqual({ fault });
  });

  it.each(
    `Host Content-Length Content-Encoding Transfer-Encoding Connection Keep-Alive Upgrade TE Trailer Expect
    IDEMPOTENCY-KEY X-Attempt X-Created Traceparent Authorization Proxy-Authorization Cookie`.split(/\s+/),
  )('WH-04: when its headers have %s, then it is refused', (name) => {
    expect(parse({ url, headers: { [name]: 'x' } })).toEqual({
      fault: `config.headers must not set ${name.toLowerCase()}`,
    });
  });
});

describe('Headers with names that objects have', () => {
  const textWith = (name: string): string => `{ "url": "${url}", "headers": { "${name}": "s3cr3t" } }`;

  it('when its headers have __proto__, then it is refused, for it would be lost on the way', () => {
    expect(parseHttpConfig(textWith('__proto__'))).toEqual({ fault: 'config.headers must not set __proto__' });
  });

  it.each(['constructor', 'prototype', 'hasownproperty', 'tostring'])(
    'when its headers have %s, then it goes along',
    (name) => {
      const { headers } = parseHttpConfig(textWith(name)) as HttpTarget;
      expect(Object.entries(headers)).toEqual([[name, 's3cr3t']]);
    },
  );
});

describe('host:port', () => {
  it.each([
    ['http://Example.com/', 'example.com:80'],
    ['https://example.com', 'example.com:443'],
    ['https://example.com:80', 'example.com:80'],
    ['http://0x7f.1:81/', '127.0.0.1:81'],
    ['http://[0:0::1]:81/', '[::1]:81'],
    ['http://localhost.:81/', 'localhost.:81'],
    ['http://good.example:80@evil.example/', 'evil.example:80'],
  ])('when the URL is %s, then it is %s', (text, hostPort) => {
    expect(hostPortOf(new URL(text))).toBe(hostPort);
  });

  it('when entries are as a URL would write them, then they are taken', () => {
    const entries = ['example.com:80', 'example.com:443', '127.0.0.1:8080', '[::1]:8080'];
    expect([...hostPorts('HTTP_ALLOW', entries)]).toEqual(entries);
  });

  it.each([
    'example.com',
    'Example.com:80',
    '127.1:80',
    'http://example.com:80',
    'a/b:80',
    'example.com:080',
    '*:80',
    '',
  ])("when an entry is '%s', then the setting is refused", (entry) => {
    expect(() => hostPorts('HTTP_ALLOW', [entry])).toThrow('HTTP_ALLOW');
  });
});
