import { privateIsAllowed, someChannel, windowEndsBeforeAttempts } from './channel-rules.js';
import { pick } from './common-settings.js';
import { readSettings } from './settings.js';

describe('the settings of channels fit one another', () => {
  const CHANNELS = pick('AMQP_URL', 'HTTP_ALLOW', 'HTTP_ALLOW_PRIVATE', 'BREAKER_WINDOW_MS');
  const TABLE = { ...CHANNELS, ...pick('MAX_RETRY_COUNT', 'RETRY_BASE_MS', 'RETRY_MAX_MS') };
  const read = (environment: Record<string, string>) =>
    readSettings(TABLE, [someChannel, privateIsAllowed, windowEndsBeforeAttempts], environment);
  const HTTP_ALLOW = 'hooks.example:443, 127.0.0.1:8080';

  it('when neither channel is configured, then the process refuses to start', () => {
    expect(() => read({})).toThrow('AMQP_URL or HTTP_ALLOW must be given');
  });

  it('when one is, then the defaults fit', () => {
    expect(read({ HTTP_ALLOW }).HTTP_ALLOW).toEqual(['hooks.example:443', '127.0.0.1:8080']);
    expect(read({ AMQP_URL: 'amqp://u:p@h' }).HTTP_ALLOW).toEqual([]);
  });

  it('when a private host is not among the allowed, then the process refuses to start', () => {
    expect(() => read({ HTTP_ALLOW, HTTP_ALLOW_PRIVATE: '127.0.0.1:8081' })).toThrow('127.0.0.1:8081');
  });

  it('when an outage could use up all attempts while the window lasts, then the process refuses to start', () => {
    expect(() => read({ HTTP_ALLOW, BREAKER_WINDOW_MS: '24001' })).toThrow('BREAKER_WINDOW_MS must be at most 24000');
    expect(() => read({ HTTP_ALLOW, MAX_RETRY_COUNT: '1' })).toThrow('BREAKER_WINDOW_MS must be at most 0');
  });

  it.each(['hooks.example', 'https://hooks.example:443', 'HOOKS.example:443', '127.1:80', '*:443'])(
    'when HTTP_ALLOW has %s, which no URL is written as, then the process refuses to start',
    (entry) => {
      expect(() => read({ HTTP_ALLOW: `${HTTP_ALLOW},${entry}` })).toThrow('HTTP_ALLOW');
    },
  );
});
