/** What a shop would sell; the ids are far below those of the load tests. */
const PRODUCTS = ['Tea', 'Coffee', 'Rice', 'Noodles', 'Salt'];
const FULL_SHELF = 200;
const LARGEST_ORDER = 9;

export interface Answer {
  /** 0 when there was none. */
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface GentleOptions {
  readonly orderUrl: string;
  readonly inventoryUrl: string;
  /** Never rejects. */
  readonly ask: (method: string, url: string, body?: object, key?: string) => Promise<Answer>;
  readonly random: () => number;
  readonly newKey: () => string;
}

/** A few customers in a shop: something to see, as long as one likes to look. */
export class Gentle {
  readonly counts = { placed: 0, refused: 0, unanswered: 0 };
  /** Whether the last order was answered by somebody who could take it. */
  isWell = false;

  constructor(private readonly options: GentleOptions) {}

  /** Makes the products that are not there yet. @returns false when the inventory cannot be asked now */
  async openShop(): Promise<boolean> {
    for (const [index, name] of PRODUCTS.entries()) {
      const url = this.productUrl(index + 1);
      const found = await this.options.ask('GET', url);
      const made = found.status === 404 ? await this.options.ask('PUT', url, { name, stock: FULL_SHELF }) : found;
      if (made.status !== 200) return false;
    }
    return true;
  }

  async placeOne(): Promise<void> {
    const { ask, orderUrl, newKey } = this.options;
    const order = { productId: 1 + this.below(PRODUCTS.length), quantity: 1 + this.below(LARGEST_ORDER) };
    const { status } = await ask('POST', `${orderUrl}/orders`, order, newKey());
    this.isWell = status > 0 && status < 500;
    if (status === 201 || status === 200) this.counts.placed += 1;
    else if (status === 0 || status >= 500) this.counts.unanswered += 1;
    else this.counts.refused += 1;
  }

  /** Fills shelves that run low; customers who come before find nothing, and their orders are rejected. */
  async restock(): Promise<void> {
    for (const index of PRODUCTS.keys()) {
      const url = this.productUrl(index + 1);
      const { status, body } = await this.options.ask('GET', url);
      if (status === 200 && Number(body['stock']) < LARGEST_ORDER)
        await this.options.ask('POST', `${url}/restock`, { quantity: FULL_SHELF });
    }
  }

  private productUrl(id: number): string {
    return `${this.options.inventoryUrl}/products/${String(id)}`;
  }

  private below(limit: number): number {
    return Math.floor(this.options.random() * limit);
  }
}
