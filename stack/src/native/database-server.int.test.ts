import { startStack } from '../index.js';
import { databaseSuite, query } from '../testing/database-suite.js';

describe('a database server keeps what was committed', () => databaseSuite({ backend: 'native' }));

describe('a native server', () => {
  it('when it is asked where it listens, then on loopback only', async () => {
    const stack = await startStack({ backend: 'native', broker: false, databases: ['order'] });
    expect(await query(stack.orderDb.url, 'SELECT @@bind_address AS address')).toEqual([{ address: '127.0.0.1' }]);
    await stack.stop();
  });
});
