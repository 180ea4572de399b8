import { eventually, StatementProxy } from '@counterfoil/message-table/testkit';

import { InventoryProcess } from './testing/inventory-process.js';

let inventory: InventoryProcess;
beforeEach(async () => {
  inventory = await InventoryProcess.open();
});
afterEach(() => inventory[Symbol.asyncDispose]());

const send = async (method: string, path: string, body: object): Promise<{ status: number; body: unknown }> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${inventory.url}${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};
const restock = (quantity: number): ReturnType<typeof send> => send('POST', '/products/1/restock', { quantity });

describe('a product over HTTP', () => {
  it('when it is put and restocked, then the answer has the stock that there is now', async () => {
    await inventory.start();
    expect(await send('PUT', '/products/1', { name: 'one', stock: 5 })).toMatchObject({ status: 200 });
    expect(await restock(3)).toMatchObject({ status: 200, body: { id: 1, name: 'one', stock: '8' } });
    expect(await send('POST', '/products/2/restock', { quantity: 3 })).toMatchObject({ status: 404 });
  });

  it('DB-01: when the answer to a restock is lost, then what is said about it is true', async () => {
    await inventory.putProduct(5);
    await using proxy = await StatementProxy.before(inventory.world.fresh.url);
    await inventory.start({ INVENTORY_DB_URL: proxy.url });
    proxy.strike('stock = stock + ', 'cut-answer');
    expect(await restock(3)).toMatchObject({ status: 503, body: { code: 'not-accepted' } });
    expect(await inventory.stock()).toBe('5');
    proxy.strike('COMMIT;', 'cut-answer', 1_000);
    expect(await restock(3)).toMatchObject({ status: 503, body: { code: 'outcome-unknown' } });
    proxy.heal();
    await eventually(async () => (await inventory.stock()) === '8');
    await inventory.stop();
  });

  it('DB-01: when the line breaks at the read for the answer, then it is not said of a stored stock that nothing was stored', async () => {
    await inventory.putProduct(5);
    await using proxy = await StatementProxy.before(inventory.world.fresh.url);
    await inventory.start({ INVENTORY_DB_URL: proxy.url });
    const notAccepted = { status: 503, body: { code: 'not-accepted' } };
    proxy.strike('SELECT name, stock FROM product', 'cut-before');
    expect(await restock(3)).toMatchObject(notAccepted);
    expect(await inventory.stock()).toBe('5');
    proxy.strike('SELECT name, stock FROM product', 'cut-before');
    expect(await send('PUT', '/products/1', { name: 'one', stock: 9 })).toMatchObject(notAccepted);
    expect(await inventory.stock()).toBe('5');
    await inventory.stop();
  });
});
