import { leaseOutlivesAttempts, leaseOutlivesBatch, pick } from './common-settings.js';
import { readSettings } from './settings.js';

const RELAY = pick('SENDING_LEASE_MS', 'ATTEMPT_TIMEOUT_MS', 'RELAY_BATCH', 'RELAY_RATE');
const SERVICE = pick('SENDING_LEASE_MS', 'ATTEMPT_TIMEOUT_MS');

describe('a lease outlives the longest legal attempt', () => {
  it('RLY-07: when an attempt may take more than half of the lease, then the process refuses to start', () => {
    const read = () =>
      readSettings(SERVICE, [leaseOutlivesAttempts], { SENDING_LEASE_MS: '30000', ATTEMPT_TIMEOUT_MS: '35000' });
    expect(read).toThrow('SENDING_LEASE_MS must be at least twice ATTEMPT_TIMEOUT_MS');
  });

  it('RLY-07: when a batch takes too long at the rate that is set, then the relay refuses to start and says how long the lease must be', () => {
    const slow = { SENDING_LEASE_MS: '11000', ATTEMPT_TIMEOUT_MS: '5000', RELAY_BATCH: '1000', RELAY_RATE: '100' };
    expect(() => readSettings(RELAY, [leaseOutlivesBatch], slow)).toThrow('SENDING_LEASE_MS must be at least 30000');
  });

  it('when nothing is set, then the defaults fit one another', () => {
    expect(readSettings(RELAY, [leaseOutlivesBatch], {})).toMatchObject({ SENDING_LEASE_MS: 30_000 });
  });

  it('when several settings are wrong, then all of them are named at once', () => {
    const read = () => readSettings(RELAY, [leaseOutlivesBatch], { RELAY_BATCH: '0', RELAY_RATE: 'fast' });
    expect(read).toThrow(/RELAY_BATCH[\s\S]*RELAY_RATE/);
  });
});

describe('a database URL', () => {
  const read = (url: string) => readSettings(pick('DB_URL'), [], { DB_URL: url });
  const refusalOf = (url: string): unknown => {
    try {
      return read(url);
    } catch (error) {
      return error;
    }
  };

  it.each([
    ['has a % that escapes nothing', 'mysql://u:p%w@h/db'],
    ['names no database', 'mysql://u:p@h:3306'],
    ['names no database after its slash', 'mysql://u:p@h:3306/'],
    ['is one of another kind', 'postgres://u:p@h/db'],
    ['names no host', 'mysql:///db'],
  ])('when it %s, then the process refuses to start, names the setting and does not show the password', (_, url) => {
    const refused = refusalOf(url);
    expect(refused).toMatchObject({ code: 'SETTINGS_INVALID', message: expect.stringContaining('DB_URL: ') });
    expect(String(refused)).not.toContain('p%w');
  });

  it('when a % is escaped, then it can be used', () => {
    expect(read('mysql://u:p%25w@h/db')).toEqual({ DB_URL: 'mysql://u:p%25w@h/db' });
  });
});
