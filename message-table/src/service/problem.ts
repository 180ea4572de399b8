import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Logger } from 'pino';

import { isDatabaseTrouble } from '../database/error-kinds.js';
import { MessageTableError } from '../errors.js';

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

/** RFC 9457. */
const CONTENT_TYPE = 'application/problem+json';

export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent || response.destroyed) return;
  const { status, retryAfterS } = problem;
  response.statusCode = status;
  response.setHeader('content-type', CONTENT_TYPE);
  if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS));
  response.end(bodyOf(problem));
}

const bodyOf = ({ status, code, detail }: Problem): string =>
  JSON.stringify({ type: 'about:blank', title: code, status, code, detail });

/** The whole answer, for a connection on which there is no request that could be answered; it is closed afterwards. */
export function rawProblem(problem: Problem): string {
  const { status } = problem;
  const body = bodyOf(problem);
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    `Content-Type: ${CONTENT_TYPE}`,
    `Content-Length: ${String(Buffer.byteLength(body))}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * What an error that reached the edge is to a client. The database's trouble is nobody's fault here, and says that nothing
 * was stored: so what writes does it in `runInTransaction`, which tells when nobody knows.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof MessageTableError && error.code === 'COMMIT_UNKNOWN')
    return new Problem(503, 'outcome-unknown', 'The database did not answer: it may be stored, or not', 1);
  if (isDatabaseTrouble(error) || lacksWorkerId(error))
    return new Problem(503, 'not-accepted', 'The database cannot take it now', 1);
  return parserProblem(error) ?? new Problem(500, 'internal', 'This is a bug; the log has the details');
}

const lacksWorkerId = (error: unknown): boolean => error instanceof MessageTableError && error.code === 'NO_WORKER_ID';

/** Web frameworks and their body parsers say what is wrong by a status. */
function parserProblem(error: unknown): Problem | null {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return new Problem(413, 'too-large', 'The body is larger than 64 KiB');
  if (status === 415)
    return new Problem(415, 'not-json', 'Send uncompressed UTF-8 JSON as content-type: application/json');
  return status < 500 ? new Problem(400, 'malformed', 'The request cannot be read') : null;
}

export type AnswerError = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** For whatever a handler throws: every error ends as problem+json, and only bugs are logged. */
export const answerErrors =
  (log: Logger): AnswerError =>
  (error, request, response) => {
    const problem = problemOf(error);
    if (problem.code === 'internal')
      log.error({ err: error, method: request.method, url: request.url }, 'request failed');
    sendProblem(response, problem);
  };
