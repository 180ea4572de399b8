import { findMessages, messagesAfter } from '../books/messages.js';
import { findNotes } from '../books/notes.js';
import { ordersAfter, ordersById, type Order } from '../books/orders.js';
import type { Difference } from '../difference.js';
import { DECISIONS, DEDUCTIONS } from '../routes.js';
import { beginning, lookTwice, pagesOf, PLACES, type Walking } from './walk.js';

/** Orders whose decision is looked for at a time; for each such crowd the decisions are walked once. */
const CROWD = 20_000;

/** Every order: has it a message, and, where it took its stock, a decision? @returns how many it looked at */
export async function walkOrders(walking: Walking): Promise<number> {
  const { order: db } = walking.databases;
  const fromId = await beginning(walking, 'order');
  const undecided: Order[] = [];
  let looked = 0;
  for await (const orders of pagesOf((afterId, limit) => ordersAfter(db, afterId, limit), fromId)) {
    looked += orders.length;
    for (const difference of await withoutMessage(walking, orders)) await walking.onDifference(difference);
    undecided.push(...(await deductedOnly(walking, orders)));
    if (undecided.length >= CROWD) await reportUndecided(walking, undecided.splice(0));
  }
  await reportUndecided(walking, undecided);
  return looked;
}

function withoutMessage({ databases }: Walking, orders: readonly Order[]): Promise<Difference[]> {
  return lookTwice(async (only) => {
    const again = only === null ? orders : orders.filter(({ id }) => only.some(({ orderId }) => orderId === id));
    const messages = await findMessages(
      databases.order,
      again.map(({ messageId }) => messageId),
    );
    return again
      .filter(({ messageId }) => !messages.has(messageId))
      .map(({ id, messageId, status }) => ({
        ...{ kind: 'order-without-message' as const, route: DEDUCTIONS.name },
        ...{ orderId: id, messageId, detail: status },
      }));
  });
}

/** Their deduction took effect and they have not heard of it. */
async function deductedOnly({ databases }: Walking, orders: readonly Order[]): Promise<Order[]> {
  const created = orders.filter(({ status }) => status === 'CREATED');
  const messageIds = created.map(({ messageId }) => messageId);
  const notes = await findNotes(databases.inventory, { consumer: DEDUCTIONS.consumer, messageIds });
  return created.filter(({ messageId }) => notes.get(messageId)?.status === 'SUCCESS');
}

async function reportUndecided(walking: Walking, orders: readonly Order[]): Promise<void> {
  const missing = new Map(orders.map((order) => [order.id, order]));
  await takeOutDecided(walking, missing);
  for (const { id, messageId } of missing.values()) {
    // It may have been decided while we looked, by a decision that was replayed out of the archive.
    const [now] = (await ordersById(walking.databases.order, [id])).values();
    if (now?.status !== 'CREATED') continue;
    const detail = 'SUCCESS, and no decision names the order';
    await walking.onDifference({ kind: 'no-decision', route: DECISIONS.name, orderId: id, messageId, detail });
  }
}

/** No index leads from an order to its decision, so the decisions are walked, once for a crowd of orders. */
async function takeOutDecided(walking: Walking, missing: Map<string, Order>): Promise<void> {
  const { inventory } = walking.databases;
  const fromId = await beginning(walking, 'inventory');
  for (const place of PLACES) {
    if (missing.size === 0) return;
    for await (const page of pagesOf((afterId, limit) => messagesAfter(inventory, place, afterId, limit), fromId)) {
      const decisions = page.filter(({ taskName }) => taskName === DECISIONS.taskName);
      for (const { orderId } of decisions) missing.delete(orderId ?? '');
    }
  }
}
