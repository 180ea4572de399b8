import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Proxies } from '../proxies.js';
import { answerError, answerPlain, answerValue } from './answer.js';
import { asApiError } from './api-error.js';
import { bodyOf } from './body.js';
import { firstValue } from './first-value.js';
import { match, type Match } from './match.js';
import { metricsPage } from './metrics.js';

export interface ApiOptions {
  readonly proxies: Proxies;
  readonly withMetrics: boolean;
}

type Found = Extract<Match, { kind: 'route' }>;
type InTurn = (act: () => unknown) => Promise<unknown>;

/** Toxiproxy's HTTP API. */
export function createApi({ proxies, withMetrics }: ApiOptions): Server {
  const inTurn = oneAfterTheOther();
  return createServer({ keepAliveTimeout: 60_000, requestTimeout: 15_000 }, (request, response) => {
    const { method = '', url = '' } = request;
    if (withMetrics && url === '/metrics') return answerPlain(response, 200, metricsPage(proxies));
    const found = match(method, url);
    if (found.kind === 'unknown') return answerPlain(response, 404, '404 page not found\n');
    if (found.kind === 'wrong-method') return answerPlain(response, 405, '');
    if (isBrowser(request)) return answerPlain(response, 403, 'User agent not allowed\n');
    void answer(request, response, (body) => carryOut(proxies, found, body, method === 'GET' ? atOnce : inTurn));
  });
}

const atOnce: InTurn = async (act) => act();

/** Calls that change something must not overlap. */
function oneAfterTheOther(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** A page in a browser must not be able to drive the proxy. */
const isBrowser = ({ headers }: IncomingMessage): boolean => headers['user-agent']?.startsWith('Mozilla/') ?? false;

async function carryOut(proxies: Proxies, found: Found, text: string, inTurn: InTurn): Promise<[number, unknown]> {
  const { route, params } = found;
  const value = await inTurn(() => route.act({ proxies, params, body: () => firstValue(text) }));
  return [route.status, value];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  act: (body: string) => Promise<[number, unknown]>,
): Promise<void> {
  try {
    answerValue(response, ...(await act(await bodyOf(request))));
  } catch (error) {
    answerError(response, asApiError(error));
  }
}
