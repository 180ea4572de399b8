import type { IncomingMessage } from 'node:http';
import { badBody } from './api-error.js';

const LIMIT_BYTES = 10_000_000;

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > LIMIT_BYTES) throw badBody('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
