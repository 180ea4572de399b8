import type { ServerResponse } from 'node:http';

import { isDatabaseTrouble } from '../database/error-kinds.js';

/** An HTTP answer that is no success: RFC 9457 with a stable code. Thrown by handlers, written by {@link sendProblem}. */
export class Problem extends Error {
  override readonly name = 'Problem';
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** Seconds after which the same request may succeed. */
    readonly retryAfterS?: number,
  ) {
    super(detail);
  }
}

export function sendProblem(response: ServerResponse, { status, code, detail, retryAfterS }: Problem): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('content-type', 'application/problem+json');
  if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS));
  response.end(JSON.stringify({ type: 'about:blank', title: code, status, code, detail }));
}

/** Body parsers say what is wrong by a status and a type; the database's trouble is nobody's fault here. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseTrouble(error)) return new Problem(503, 'not-accepted', 'The database cannot be reached now', 1);
  const status: unknown = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (status === 413) return new Problem(413, 'too-large', 'The body is larger than 64 KiB');
  if (status === 415) return new Problem(415, 'not-json', 'Send uncompressed UTF-8 JSON');
  if (typeof status === 'number' && status >= 400 && status < 500) return new Problem(400, 'malformed', 'The request cannot be read');
  return new Problem(500, 'internal', 'This is a bug; the log has the details');
}
