import type { Database } from '../database/database.js';
import { COLUMN_BYTES, readPacketBytes } from '../database/statement-bytes.js';
import type { Received } from './consumer-message.js';
import { storeBody } from './store/content.js';

/** What is left of a statement for everything but headers and content. */
const REST_BYTES = 8 * 1024;
/** As small as any server's default, while the server has not said. */
const UNTIL_KNOWN_BYTES = 1024 * 1024;

/** How large a statement may be: the server's `max_allowed_packet`, asked once. */
export class PacketLimit {
  private known: number | null = null;

  constructor(private readonly db: Database) {}

  /** @throws the driver's error; the next call asks again */
  async bytes(): Promise<number> {
    this.known ??= await readPacketBytes(this.db.knex);
    return this.known;
  }

  /** Content bytes of one transaction: a quarter, because escaping can double a content and headers come on top. */
  async batchBytes(): Promise<number> {
    return Math.floor((await this.bytes().catch(() => UNTIL_KNOWN_BYTES)) / 4);
  }
}

/**
 * False for a message that no statement can hold. The server answers such a statement by cutting the connection,
 * which looks like an outage, so it must never be sent.
 */
export function fitsStatement({ body, headers }: Pick<Received, 'body' | 'headers'>, packetBytes: number): boolean {
  const headersText = JSON.stringify(headers);
  // Escaping at most doubles: the usual message is done with here.
  if (2 * (body.length + headersText.length * 2) + REST_BYTES < packetBytes && body.length < COLUMN_BYTES / 2)
    return true;
  const { content } = storeBody(body);
  const contentBytes = Buffer.byteLength(content);
  const escaped = contentBytes + escapes(content) + Buffer.byteLength(headersText) + escapes(headersText);
  return contentBytes <= COLUMN_BYTES && escaped + REST_BYTES <= packetBytes;
}

/** The characters before which the driver writes a backslash. */
// eslint-disable-next-line no-control-regex -- NUL, backspace and ^Z are among them
const ESCAPED = /[\0\b\t\n\r\x1a"'\\]/g;

const escapes = (text: string): number => text.match(ESCAPED)?.length ?? 0;
