import type { Runner } from '../database/rows.js';
import { snowflakeTimeMs } from '../maintenance/snowflake.js';
import type { Claim } from './producer-message.js';
import type { ClaimedMessage } from './sender.js';
import { readContents, type StoredContent } from './store/read.js';

/** Claims with what is to be sent; one whose row is gone is left out. */
export async function loadMessages(db: Runner, claims: readonly Claim[]): Promise<ClaimedMessage[]> {
  if (claims.length === 0) return [];
  const stored = await readContents(
    db,
    claims.map(({ id }) => id),
  );
  const byId = new Map(stored.map((content) => [content.id, content]));
  return claims.flatMap((claim) => toMessage(claim, byId.get(claim.id)));
}

function toMessage(claim: Claim, stored: StoredContent | undefined): ClaimedMessage[] {
  if (stored === undefined) return []; // archived or removed by a person between claim and read
  const headers = stored.headers === null ? {} : (JSON.parse(stored.headers) as Record<string, string>);
  const { id, version, messageId } = claim;
  return [
    {
      claim,
      channel: stored.channel,
      outgoing: { ...stored, id, version, messageId, headers, createdMs: snowflakeTimeMs(id) },
    },
  ];
}
