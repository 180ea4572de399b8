import type { RunningSystem } from '@counterfoil/stack';

import { whichSystem } from './which-system.js';

const NONE = { orderDb: undefined, inventoryDb: undefined };

const system = (by: RunningSystem['by'], port: number): RunningSystem => ({
  by,
  urls: {
    ...{
      orderDb: `mysql://127.0.0.1:${String(port)}/orders`,
      inventoryDb: `mysql://127.0.0.1:${String(port + 1)}/inventory`,
    },
    ...{ amqp: null, amqpManagement: null },
  },
});

describe('which system is meant', () => {
  it('when both databases are named, then these, whatever runs here', () => {
    const given = { orderDb: 'mysql://a/o', inventoryDb: 'mysql://b/i' };
    expect(whichSystem(given, [system('npm start', 1)])).toEqual(given);
  });

  it('when none is named and one system runs here, then its databases', () => {
    expect(whichSystem(NONE, [system('npm start', 4000)])).toEqual({
      orderDb: 'mysql://127.0.0.1:4000/orders',
      inventoryDb: 'mysql://127.0.0.1:4001/inventory',
    });
  });

  it.each([
    ['only one is named', { orderDb: 'mysql://a/o', inventoryDb: '' }, [], 'Only ORDER_DB_URL is set'],
    ['nothing runs', NONE, [], 'Nothing runs on this machine'],
    ['two run', NONE, [system('npm start', 1), system('npm run stack', 3)], 'by npm start and npm run stack'],
  ])('when %s, then it says what to set', (_what, given, running, says) => {
    expect(() => whichSystem(given, running)).toThrow(says);
    expect(() => whichSystem(given, running)).toThrow('Set ORDER_DB_URL and INVENTORY_DB_URL');
  });
});
