import type { Runner } from '../database/rows.js';
import { snowflakeTimeMs } from '../maintenance/snowflake.js';
import type { Claim } from './producer-message.js';
import type { ClaimedMessage } from './sender.js';
import { readContents, type StoredContent } from './store/read.js';

export interface Loaded {
  readonly messages: readonly ClaimedMessage[];
  /** Rows that no attempt can send; nothing here writes such a row, but a hand or another program may have. */
  readonly unreadable: readonly Unreadable[];
}

export interface Unreadable {
  readonly claim: Claim;
  readonly taskName: string;
  readonly channel: string;
  readonly reason: string;
}

/** Claims with what is to be sent; one whose row is gone is left out. One row never keeps the others from being sent. */
export async function loadMessages(db: Runner, claims: readonly Claim[]): Promise<Loaded> {
  const messages: ClaimedMessage[] = [];
  const unreadable: Unreadable[] = [];
  if (claims.length === 0) return { messages, unreadable };
  const stored = await readContents(
    db,
    claims.map(({ id }) => id),
  );
  const byId = new Map(stored.map((content) => [content.id, content]));
  for (const claim of claims) {
    const content = byId.get(claim.id);
    if (content === undefined) continue; // archived or removed by a person between claim and read
    const headers = headersOf(content);
    const { taskName, channel } = content;
    if (headers === null) unreadable.push({ claim, taskName, channel, reason: 'its headers are no JSON object' });
    else messages.push(toMessage(claim, content, headers));
  }
  return { messages, unreadable };
}

type Headers = Readonly<Record<string, string>>;

function headersOf({ headers }: StoredContent): Headers | null {
  if (headers === null) return {};
  try {
    const parsed: unknown = JSON.parse(headers);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Headers) : null;
  } catch {
    return null;
  }
}

function toMessage(claim: Claim, stored: StoredContent, headers: Headers): ClaimedMessage {
  const { id, version, messageId } = claim;
  return {
    claim,
    channel: stored.channel,
    outgoing: { ...stored, id, version, messageId, headers, createdMs: snowflakeTimeMs(id) },
  };
}
