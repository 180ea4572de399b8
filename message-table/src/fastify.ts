import type { IncomingHttpHeaders, RequestListener } from 'node:http';

import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import type { OperationsHandler } from './service/operations.js';
import { Problem, type AnswerError } from './service/problem.js';

export interface RoutesOptions {
  /** Asked first. */
  readonly operations: OperationsHandler;
  readonly answerError: AnswerError;
  /** What there is, for who asks for something else. */
  readonly nothingHere: string;
  /** Adds them. A body that they get is JSON, unless they have a parser of their own. */
  readonly routes: (app: FastifyInstance) => void;
}

const MAX_BODY_BYTES = 64 * 1024;

/**
 * A service's routes in Fastify, beside its operations; every error ends as problem+json.
 *
 * @returns the handler for `createHttp`, which listens, stops and cuts off slow clients: Fastify's own server is not used
 */
export function createRoutes({ operations, answerError, nothingHere, routes }: RoutesOptions): RequestListener {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    answerError(error, request.raw, reply.raw);
  };
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    frameworkErrors: answer,
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.setErrorHandler(answer);
  app.setNotFoundHandler(() => {
    throw new Problem(404, 'not-found', nothingHere);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, ({ headers }, body, done) => {
    done(null, readJson(headers, body as string));
  });
  routes(app);
  const ready = app.ready();
  return (request, response) => {
    if (!operations(request, response)) void ready.then(() => app.routing(request, response));
  };
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

function readJson(headers: IncomingHttpHeaders, body: string): unknown {
  assertPlain(headers);
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) throw notReadable();
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem(400, 'malformed', 'The body is not JSON');
  }
}

/** @throws Problem 415 for a compressed body: nobody undoes that here */
export function assertPlain({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() !== 'identity') throw notReadable();
}

const notReadable = (): Problem => new Problem(415, 'not-json', 'Send uncompressed UTF-8 JSON');
