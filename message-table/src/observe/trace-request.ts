import type { IncomingMessage, ServerResponse } from 'node:http';

import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';

import { contextFrom, tracer } from './tracer.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * A request as a part of the trace that its headers name; what handles it is inside of its span, see
 * {@link currentTrace}. For Fastify's `onRequest`, Express, and their like.
 *
 * @param route as the conventions want it: '/orders/:id', never an id
 */
export const traceRequest =
  (route: string): Middleware =>
  ({ method = 'GET', headers, url = '' }, response, next) => {
    const on = tracer();
    if (on === null) return next();
    const parent = contextFrom(headers) ?? ROOT_CONTEXT;
    const attributes = {
      ...{ 'http.request.method': method, 'http.route': route },
      ...{ 'url.scheme': 'http', 'url.path': url.replace(/\?.*$/, '') },
    };
    const span = on.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => end(span, response));
    context.with(trace.setSpan(parent, span), next);
  };

function end(span: Span, { headersSent, statusCode }: ServerResponse): void {
  if (headersSent) span.setAttribute('http.response.status_code', statusCode);
  if (!headersSent || statusCode >= 500) {
    span.setAttribute('error.type', headersSent ? String(statusCode) : 'client-gone');
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
