import type { IncomingMessage, ServerResponse } from 'node:http';

import { Counter, type Registry } from 'prom-client';

import type { Loop } from './loop.js';

/** Something a process needs to do its work; `missing` says in words what is not there, or null. */
export type Readiness = () => string | null | Promise<string | null>;

export interface OperationsOptions {
  readonly loops: readonly Pick<Loop, 'name' | 'isTurning'>[];
  readonly readiness: readonly Readiness[];
  readonly registry: Registry;
}

/** @returns true when the request was one of `/healthz`, `/readyz`, `/metrics`, and is answered; any other is counted by its status */
export type OperationsHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createOperations(options: OperationsOptions): OperationsHandler {
  const routes: Record<string, (response: ServerResponse) => void | Promise<void>> = {
    '/healthz': (response) => {
      const stuck = options.loops.filter((loop) => !loop.isTurning()).map(({ name }) => name);
      sendJson(
        response,
        stuck.length === 0 ? 200 : 503,
        stuck.length === 0 ? { status: 'ok' } : { status: 'stuck', loops: stuck },
      );
    },
    '/readyz': async (response) => {
      const missing = await missingOf(options.readiness);
      sendJson(
        response,
        missing.length === 0 ? 200 : 503,
        missing.length === 0 ? { status: 'ready' } : { status: 'not-ready', missing },
      );
    },
    '/metrics': async (response) => {
      response.writeHead(200, { 'content-type': options.registry.contentType });
      response.end(await options.registry.metrics());
    },
  };
  const count = answerCounter(options.registry);
  return (request, response) => {
    const route = request.method === 'GET' ? routes[request.url ?? ''] : undefined;
    if (route === undefined) {
      response.once('finish', () => {
        count(response.statusCode);
      });
      return false;
    }
    Promise.resolve(route(response)).catch((error: unknown) => {
      sendJson(response, 500, { status: 'error', detail: String(error) });
    });
    return true;
  };
}

function answerCounter(registry: Registry): (status: number) => void {
  const answers = new Counter({
    name: 'counterfoil_http_answers_total',
    help: 'Requests that were answered, those for health and metrics apart',
    labelNames: ['status'],
    registers: [registry],
  });
  // From 0: of a series that begins with its first failure no rate could be seen.
  for (const status of ['500', '503']) answers.inc({ status }, 0);
  return (status) => {
    answers.inc({ status: String(status) });
  };
}

async function missingOf(readiness: readonly Readiness[]): Promise<string[]> {
  const answers = await Promise.all(readiness.map(async (check) => check()));
  return answers.filter((answer) => answer !== null);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
