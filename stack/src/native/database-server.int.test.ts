import { startStack } from '../index.js';
import { databaseSuite, query } from '../testing/database-suite.js';

describe('a database server keeps what was committed', () => databaseSuite({ backend: 'native' }));

describe('a native server', () => {
  it('when it is asked where it listens, then on loopback only', async () => {
    const stack = await startStack({ backend: 'native', broker: false, databases: ['order'] });
    expect(await query(stack.orderDb.url, 'SELECT @@bind_address AS address')).toEqual([{ address: '127.0.0.1' }]);
    await stack.stop();
  });

  it('when it is to lose its network, then it says that only one in a container can; and it has no fault proxy', async () => {
    const stack = await startStack({ backend: 'native', broker: false, databases: ['order'] });
    await expect(stack.orderDb.disconnect()).rejects.toMatchObject({ code: 'not-in-this-stack' });
    await stack.orderDb.reconnect();
    expect(await stack.orderDb.isReady()).toBe(true);
    expect(await stack.startFaultProxy({ ports: 1, seed: 1 })).toBeNull();
    await stack.stop();
  });
});
