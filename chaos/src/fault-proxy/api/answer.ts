import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ApiError } from './api-error.js';

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** A body that is sent as it stands. */
export class RawAnswer {
  constructor(
    readonly contentType: string,
    readonly text: string,
  ) {}
}

export function answerPlain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, text === '' ? {} : PLAIN).end(text);
}

export function answerValue(response: ServerResponse, status: number, value: unknown): void {
  const headers = requestId();
  if (status === 204) return void response.writeHead(status, headers).end();
  const { contentType, text } = value instanceof RawAnswer ? value : new RawAnswer('application/json', jsonOf(value));
  response.writeHead(status, { ...headers, 'content-type': contentType }).end(text);
}

/** JSON that calls itself text, as the original's does: a client that trusts the header must meet it here too. */
export function answerError(response: ServerResponse, { status, message, extra }: ApiError): void {
  response.writeHead(status, { ...requestId(), ...PLAIN }).end(`${jsonOf({ error: message, status, ...extra })}\n`);
}

const requestId = (): Record<string, string> => ({ 'x-toxiproxy-request-id': randomUUID() });

/** Safe inside HTML, as Go writes it. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
