import { parseBrokerUrls, redact } from './url.js';

const [first] = [(text: string) => parseBrokerUrls(text)[0]];

describe('AMQP_URL says where the brokers are', () => {
  it('when little is given, then the rest is what a broker has by default', () => {
    const guest = { protocol: 'amqp', port: 5672, username: 'guest', password: 'guest', vhost: '/' };
    expect(first('amqp://localhost')).toEqual({ ...guest, hostname: 'localhost' });
    expect(first('amqps://h')).toEqual({ ...guest, protocol: 'amqps', hostname: 'h', port: 5671 });
    expect(first('amqp://[::1]:1234')).toEqual({ ...guest, hostname: '::1', port: 1234 });
  });

  it.each([
    ['amqp://h', '/'],
    ['amqp://h/', '/'],
    ['amqp://h/%2F', '/'],
    ['amqp://h/orders', 'orders'],
    ['amqp://h/a%2Fb%20%25', 'a/b %'],
    ['amqp://h/%252F', '%2F'],
  ])('when the URL is %s, then the vhost is %s', (text, vhost) => {
    expect(first(text)?.vhost).toBe(vhost);
  });

  it('when user and password have reserved characters, then they are decoded', () => {
    expect(first('amqp://us%40er:p%2Fw%3A%25%2C%C3%BC@h')).toMatchObject({ username: 'us@er', password: 'p/w:%,ü' });
    expect(first('amqp://user@h')).toMatchObject({ username: 'user', password: '' });
  });

  it('when there are several, then all are kept in order', () => {
    expect(parseBrokerUrls('amqp://a:1, amqp://b:2').map(({ hostname, port }) => `${hostname}${port}`)).toEqual([
      'a1',
      'b2',
    ]);
  });

  it.each([
    ['', 'empty'],
    ['localhost:5672', 'must start with'],
    ['http://h', 'must start with'],
    ['amqp://', 'no host'],
    ['amqp://u:se%cret@h', '%25'],
    ['amqp://u:secret@h/a/b', '%2F'],
    ['amqp://u:secret@h?heartbeat=5', 'query'],
    ['amqp://u:sec/ret@h', 'AMQP_URL'],
  ])('when it is %s, then the error says why and keeps the password', (text, why) => {
    expect(() => parseBrokerUrls(text)).toThrow(why);
    expect(() => parseBrokerUrls(text)).not.toThrow(/sec|%cret/);
  });

  it('when it is logged, then without passwords', () => {
    expect(redact('amqp://u:s@h/v,amqps://w:p@q@i')).toBe('amqp://u:***@h/v,amqps://w:***@i');
  });
});
