import { findMessages } from '../books/messages.js';
import { notesAfter, notesIn, type Note } from '../books/notes.js';
import type { Difference } from '../difference.js';
import type { Route } from '../routes.js';
import { lookTwice, pagesOf, PLACES, type Walking } from './walk.js';

const DAY_MS = 86_400_000;

/** Every note of a route's inbox: did a message ask for it, and is it there once? @returns how many it looked at */
export async function walkNotes(walking: Walking, route: Route): Promise<number> {
  const to = walking.databases[route.to];
  let looked = 0;
  for (const place of PLACES) {
    // Ids of notes are counted, not timed: there is no id to begin with.
    for await (const page of pagesOf((afterId, limit) => notesAfter(to, place, afterId, limit))) {
      const notes = page.filter(({ consumer, ageMs }) => consumer === route.consumer && ageMs < walking.days * DAY_MS);
      looked += notes.length;
      const strangers = await withoutMessage(walking, route, notes);
      const twice = place === 'archive' ? await inBothTables(walking, route, notes) : [];
      for (const difference of [...strangers, ...twice]) await walking.onDifference(difference);
    }
  }
  return looked;
}

function withoutMessage({ databases }: Walking, route: Route, notes: readonly Note[]): Promise<Difference[]> {
  return lookTwice(async (only) => {
    const again = only === null ? notes : notes.filter((note) => only.some((one) => one.messageId === note.messageId));
    const messages = await findMessages(databases[route.from], idsOf(again));
    return again
      .filter(({ messageId }) => !messages.has(messageId))
      .map((note) => differenceOf('note-without-message', route, note));
  });
}

function inBothTables({ databases }: Walking, route: Route, archived: readonly Note[]): Promise<Difference[]> {
  const to = databases[route.to];
  const { consumer } = route;
  return lookTwice(async (only) => {
    const messageIds = only === null ? idsOf(archived) : only.flatMap(({ messageId }) => messageId ?? []);
    const stillArchived = only === null ? archived : await notesIn(to, 'archive', { consumer, messageIds });
    const live = new Set(idsOf(await notesIn(to, 'live', { consumer, messageIds })));
    return stillArchived
      .filter(({ messageId }) => live.has(messageId))
      .map((note) => differenceOf('note-twice', route, note));
  });
}

const differenceOf = (kind: Difference['kind'], route: Route, { messageId, status, errorMsg }: Note): Difference => ({
  ...{ kind, route: route.name, orderId: null, messageId },
  detail: errorMsg === null ? status : `${status}: ${errorMsg}`,
});

const idsOf = (notes: readonly Note[]): string[] => notes.map(({ messageId }) => messageId);
