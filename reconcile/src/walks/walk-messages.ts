import { findMessages, messagesAfter, messagesIn, type Message } from '../books/messages.js';
import { findNotes } from '../books/notes.js';
import { ordersById, productsThere, type Order } from '../books/orders.js';
import type { Difference } from '../difference.js';
import type { Route } from '../routes.js';
import { judgeMessage } from './judge-message.js';
import { beginning, lookTwice, pagesOf, PLACES, type Walking } from './walk.js';

/** Every message of a route: was it sent, did it arrive, did it take effect? @returns how many it looked at */
export async function walkMessages(walking: Walking, route: Route): Promise<number> {
  const from = walking.databases[route.from];
  const fromId = await beginning(walking, route.from);
  let looked = 0;
  for (const place of PLACES) {
    for await (const page of pagesOf((afterId, limit) => messagesAfter(from, place, afterId, limit), fromId)) {
      const messages = page.filter(({ taskName }) => taskName === route.taskName);
      looked += messages.length;
      const found = await lookTwice(async (only) =>
        examine(walking, route, only === null ? messages : [...(await findMessages(from, idsOf(only))).values()]),
      );
      const twice = place === 'archive' ? await inBothTables(walking, route, messages) : [];
      for (const difference of [...found, ...twice]) await walking.onDifference(difference);
    }
  }
  return looked;
}

async function examine(walking: Walking, route: Route, messages: readonly Message[]): Promise<Difference[]> {
  const { databases, inFlightMs } = walking;
  const messageIds = messages.map(({ messageId }) => messageId);
  const notes = await findNotes(databases[route.to], { consumer: route.consumer, messageIds });
  // After the notes: whoever wrote a note wrote the order before or with it.
  const orders = await ordersById(databases.order, orderIdsOf(messages));
  const owed = messages.filter(({ messageId }) => (notes.get(messageId)?.status ?? 'SUCCESS') !== 'SUCCESS');
  const missing = await missingProducts(walking, route, owed, orders);
  return messages.flatMap((message): Difference[] => {
    const order = orders.get(message.orderId ?? '');
    const note = notes.get(message.messageId);
    const productIsThere = !missing.has(order?.productId ?? '');
    const found = judgeMessage({ route: route.name, message, note, order, productIsThere }, inFlightMs);
    return found === null ? [] : [{ route: route.name, ...found, ...idsIn(message) }];
  });
}

async function missingProducts(
  { databases }: Walking,
  { name }: Route,
  owed: readonly Message[],
  orders: ReadonlyMap<string, Order>,
): Promise<Set<string>> {
  if (name !== 'deduction') return new Set();
  const wanted = [...new Set(owed.flatMap(({ orderId }) => orders.get(orderId ?? '')?.productId ?? []))];
  const there = await productsThere(databases.inventory, wanted);
  return new Set(wanted.filter((id) => !there.has(id)));
}

function inBothTables({ databases }: Walking, route: Route, archived: readonly Message[]): Promise<Difference[]> {
  const from = databases[route.from];
  return lookTwice(async (only) => {
    const stillArchived = only === null ? archived : await messagesIn(from, 'archive', idsOf(only));
    const live = new Set(
      (
        await messagesIn(
          from,
          'live',
          stillArchived.map(({ messageId }) => messageId),
        )
      ).map(({ messageId }) => messageId),
    );
    return stillArchived
      .filter(({ messageId }) => live.has(messageId))
      .map((message) => ({
        ...{ kind: 'message-twice' as const, route: route.name, detail: message.status },
        ...idsIn(message),
      }));
  });
}

const idsIn = ({ orderId, messageId }: Message) => ({ orderId, messageId });

/** An id that is none would be refused as a number. */
const orderIdsOf = (messages: readonly Message[]): string[] =>
  [...new Set(messages.map(({ orderId }) => orderId ?? ''))].filter((id) => /^[1-9]\d{0,18}$/.test(id));

const idsOf = (differences: readonly Difference[]): string[] => differences.flatMap(({ messageId }) => messageId ?? []);
