import { until } from './until.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };

/** The two services as a customer sees them. */
export class Shop {
  constructor(orderUrl, inventoryUrl) {
    this.orderUrl = orderUrl;
    this.inventoryUrl = inventoryUrl;
  }

  async putProduct(id, stock) {
    const body = JSON.stringify({ name: `Product ${id}`, stock });
    await answerOf(200, fetch(`${this.inventoryUrl}/products/${id}`, { method: 'PUT', headers: JSON_TYPE, body }));
  }

  async stockOf(id) {
    return BigInt((await answerOf(200, fetch(`${this.inventoryUrl}/products/${id}`))).stock);
  }

  /** Under a key: a second time it gives the same order, with its present status. */
  async place(order, key) {
    const headers = { ...JSON_TYPE, 'idempotency-key': key };
    const body = JSON.stringify(order);
    return answerOf(2, fetch(`${this.orderUrl}/orders`, { method: 'POST', headers, body }));
  }

  async order(id) {
    return answerOf(200, fetch(`${this.orderUrl}/orders/${id}`));
  }

  untilConfirmed(id) {
    return until(`order ${id} to be confirmed`, async () => (await this.order(id)).status === 'CONFIRMED');
  }
}

async function answerOf(status, asked) {
  const answer = await asked;
  const text = await answer.text();
  if (!String(answer.status).startsWith(String(status)))
    throw new Error(`${answer.url} says ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
