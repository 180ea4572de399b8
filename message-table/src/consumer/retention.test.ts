import { pick, retentionOutlivesRetries } from '../service/common-settings.js';
import { readSettings, type Environment } from '../service/settings.js';

const TABLE = pick('RETENTION_INBOX_MS', 'MAX_RETRY_COUNT', 'RETRY_BASE_MS', 'RETRY_MAX_MS');
const read = (environment: Environment): unknown => readSettings(TABLE, [retentionOutlivesRetries], environment);

describe('notes are kept longer than a message can be on its way', () => {
  it('when nothing is set, then that holds', () => {
    expect(read({})).toMatchObject({ RETENTION_INBOX_MS: 604_800_000 });
  });

  it('when all attempts together could take longer, then the process does not start and says how long it must be', () => {
    const tooShort = { MAX_RETRY_COUNT: '5', RETRY_BASE_MS: '2000', RETENTION_INBOX_MS: '59999' };
    expect(() => read(tooShort)).toThrow('RETENTION_INBOX_MS must be at least 60000');
    expect(read({ ...tooShort, RETENTION_INBOX_MS: '60000' })).toBeDefined();
  });
});
