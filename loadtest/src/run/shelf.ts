import { Pool } from 'undici';

import { INITIAL_STOCK } from '../workload.js';

const AT_ONCE = 16;

/** The products of one run, over the inventory service's HTTP alone. */
export class Shelf implements AsyncDisposable {
  private readonly pool: Pool;
  private readonly base: string;

  constructor(
    inventoryUrl: string,
    private readonly productIds: readonly number[],
  ) {
    const { origin, pathname } = new URL(inventoryUrl);
    this.base = pathname.replace(/\/$/, '');
    this.pool = new Pool(origin, { connections: AT_ONCE });
  }

  /** @throws Error when one cannot be made */
  async fill(): Promise<void> {
    await this.forEach(async (id) => {
      await this.ask(id, { name: `Product ${String(id)}`, stock: Number(INITIAL_STOCK) });
    });
  }

  /** By product id. @throws Error when one cannot be read */
  async stock(): Promise<Map<number, bigint>> {
    const stock = new Map<number, bigint>();
    await this.forEach(async (id) => {
      const { stock: left } = (await this.ask(id)) as { stock: string | number };
      stock.set(id, BigInt(left));
    });
    return stock;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
  }

  private async forEach(act: (id: number) => Promise<void>): Promise<void> {
    const waiting = this.productIds.values();
    const lane = async (): Promise<void> => {
      for (const id of waiting) await act(id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  private async ask(id: number, product?: object): Promise<unknown> {
    const path = `${this.base}/products/${String(id)}`;
    const answer = await this.pool.request({
      path,
      method: product === undefined ? 'GET' : 'PUT',
      ...(product === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(product) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} says ${String(answer.statusCode)}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}
