import type { Proxies } from '../proxies.js';
import type { Proxy } from '../proxy.js';
import { RawAnswer } from './answer.js';
import { effectsView } from './effects-view.js';
import { changeProxy, createProxy, populate } from './proxy-calls.js';
import { addToxic, changeToxic, findToxic } from './toxic-calls.js';
import { proxyView, toxicView } from './views.js';

export const VERSION = '2.12.0-counterfoil';

export interface Call {
  readonly proxies: Proxies;
  /** The parts of the path that a route leaves open: a proxy, a toxic. */
  readonly params: readonly string[];
  /** The request's JSON, read when it is asked for: an unknown proxy is reported first. */
  readonly body: () => unknown;
}

export interface Route {
  readonly methods: readonly string[];
  /** Segments; '*' is open. */
  readonly path: string;
  readonly status: number;
  /** The answer's body; nothing for 204. */
  readonly act: (call: Call) => unknown;
}

const proxyOf = ({ proxies, params }: Call): Proxy => proxies.get(params[0] ?? '');
const route = (methods: string, path: string, status: number, act: Route['act']): Route => ({
  methods: methods.split(' '),
  path,
  status,
  act,
});

const VERSION_ANSWER = new RawAnswer('application/json;charset=utf-8', `{"version": "${VERSION}"}\n`);

export const ROUTES: readonly Route[] = [
  route('GET', '/version', 200, () => VERSION_ANSWER),
  route('POST', '/reset', 204, ({ proxies }) => proxies.reset()),
  route('POST', '/populate', 201, ({ proxies, body }) => populate(proxies, body())),
  route('GET', '/proxies', 200, ({ proxies }) =>
    Object.fromEntries(proxies.sorted.map((proxy) => [proxy.name, proxyView(proxy)])),
  ),
  route('POST', '/proxies', 201, ({ proxies, body }) => createProxy(proxies, body())),
  route('GET', '/proxies/*', 200, (call) => proxyView(proxyOf(call))),
  route('PATCH POST', '/proxies/*', 200, (call) => changeProxy(call.proxies, proxyOf(call), call.body())),
  route('DELETE', '/proxies/*', 204, ({ proxies, params }) => proxies.delete(params[0] ?? '')),
  route('GET', '/proxies/*/effects', 200, (call) => effectsView(proxyOf(call), call.proxies.seed)),
  route('GET', '/proxies/*/toxics', 200, (call) => proxyOf(call).toxics.listed.map(toxicView)),
  route('POST', '/proxies/*/toxics', 200, (call) => addToxic(proxyOf(call).toxics, call.body())),
  route('GET', '/proxies/*/toxics/*', 200, (call) => toxicView(toxicOf(call))),
  route('PATCH POST', '/proxies/*/toxics/*', 200, (call) =>
    changeToxic(proxyOf(call).toxics, toxicOf(call), call.body()),
  ),
  route('DELETE', '/proxies/*/toxics/*', 204, (call) => proxyOf(call).toxics.remove(toxicOf(call))),
];

const toxicOf = (call: Call): ReturnType<typeof findToxic> => findToxic(proxyOf(call).toxics, call.params[1] ?? '');
