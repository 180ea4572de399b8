import { createHash } from 'node:crypto';

import type { NewRow } from './store/insert.js';
import type { StoredCommand } from './store/read-accepted.js';

/** What a message is. How often and from when on it is tried is not part of it. */
export type CommandFacts = Pick<
  NewRow,
  'taskName' | 'channel' | 'exchange' | 'routingKey' | 'channelConfig' | 'headers' | 'content'
>;

const FIELDS = ['taskName', 'channel', 'exchange', 'routingKey', 'channelConfig'] as const;

/** True when a stored message is the one that a command asks for; only its trace may be another. */
export const isSameCommand = (asked: CommandFacts, stored: StoredCommand): boolean =>
  FIELDS.every((field) => asked[field] === stored[field]) &&
  contentHash(asked.content) === stored.contentHash &&
  withoutTrace(asked.headers) === withoutTrace(stored.headers);

/** As `SHA2(content, 256)` says it. */
export const contentHash = (content: string): string => createHash('sha256').update(content).digest('hex');

/** In one order. Who asks again does so under another trace. */
function withoutTrace(headers: string | null): string {
  const entries = Object.entries(JSON.parse(headers ?? '{}') as Record<string, string>);
  const own = entries.filter(([name]) => !/^trace(?:parent|state)$/i.test(name));
  return JSON.stringify(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}
