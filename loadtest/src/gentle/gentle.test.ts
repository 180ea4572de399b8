import { Gentle, type Answer, type GentleOptions } from './gentle.js';

type Ask = GentleOptions['ask'];

function shop(answer: (method: string, url: string) => Answer): { gentle: Gentle; asked: string[] } {
  const asked: string[] = [];
  const ask: Ask = (method, url, body, key) => {
    asked.push([method, url, JSON.stringify(body ?? null), key ?? ''].join(' '));
    return Promise.resolve(answer(method, url));
  };
  const gentle = new Gentle({ orderUrl: 'o', inventoryUrl: 'i', ask, random: () => 0.5, newKey: () => 'key' });
  return { gentle, asked };
}

describe('the gentle load', () => {
  it('when products are there already, then it leaves their stock alone', async () => {
    const { gentle, asked } = shop(() => ({ status: 200, body: { stock: '3' } }));
    expect(await gentle.openShop()).toBe(true);
    expect(asked.every((line) => line.startsWith('GET'))).toBe(true);
  });

  it('when products are missing, then it makes them', async () => {
    const { gentle, asked } = shop((method) => ({ status: method === 'GET' ? 404 : 200, body: {} }));
    expect(await gentle.openShop()).toBe(true);
    expect(asked).toContain('PUT i/products/1 {"name":"Tea","stock":200} ');
  });

  it('when the inventory does not answer, then the shop stays closed', async () => {
    const { gentle } = shop(() => ({ status: 0, body: {} }));
    expect(await gentle.openShop()).toBe(false);
  });

  it('when an order is taken, refused or not answered, then each is counted', async () => {
    const statuses = [201, 429, 0, 503];
    const { gentle, asked } = shop(() => ({ status: statuses.shift() ?? 0, body: {} }));
    expect(gentle.isWell).toBe(false);
    const well: boolean[] = [];
    for (let order = 0; order < 4; order += 1) {
      await gentle.placeOne();
      well.push(gentle.isWell);
    }
    expect(well).toEqual([true, true, false, false]);
    expect(gentle.counts).toEqual({ placed: 1, refused: 1, unanswered: 2 });
    expect(asked[0]).toBe('POST o/orders {"productId":3,"quantity":5} key');
  });

  it('when a shelf runs low, then it is filled, and a full one is not', async () => {
    const { gentle, asked } = shop((_, url) => ({ status: 200, body: { stock: url.endsWith('/2') ? '4' : '50' } }));
    await gentle.restock();
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual(['POST i/products/2/restock {"quantity":200} ']);
  });
});
