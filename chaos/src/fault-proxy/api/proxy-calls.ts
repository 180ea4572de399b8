import type { Proxy } from '../proxy.js';
import type { Proxies, ProxyEntry } from '../proxies.js';
import { ApiError, asApiError, badBody } from './api-error.js';
import { Fields } from './fields.js';
import { proxyView } from './views.js';

export async function createProxy(proxies: Proxies, body: unknown): Promise<object> {
  return proxyView(await proxies.create(entryOf(new Fields(body), '')));
}

export async function changeProxy(proxies: Proxies, proxy: Proxy, body: unknown): Promise<object> {
  const fields = new Fields(body);
  const [listen, upstream, enabled] = [fields.string('listen'), fields.string('upstream'), fields.boolean('enabled')];
  await proxies.change(proxy, {
    ...(listen !== undefined && { listen }),
    ...(upstream !== undefined && { upstream }),
    ...(enabled !== undefined && { enabled }),
  });
  return proxyView(proxy);
}

/** All entries are looked at first; then one after the other is made, until one fails. */
export async function populate(proxies: Proxies, body: unknown): Promise<object> {
  if (body !== null && !Array.isArray(body)) throw badBody('body is not an array');
  const entries = (body ?? []).map((one: unknown, index) => entryOf(new Fields(one), ` at proxy ${index + 1}`));
  const done: Proxy[] = [];
  try {
    for (const entry of entries) done.push(await proxies.createOrReplace(entry));
  } catch (error) {
    const { status, message } = asApiError(error);
    throw new ApiError(status, message, { proxies: viewsOf(done) });
  }
  return { proxies: viewsOf(done) };
}

/** The original's empty list is `null`. */
const viewsOf = (proxies: readonly Proxy[]): readonly object[] | null =>
  proxies.length === 0 ? null : proxies.map(proxyView);

function entryOf(fields: Fields, where: string): ProxyEntry {
  const text = (field: string) => fields.string(field) ?? '';
  const entry = { name: text('name'), listen: text('listen'), upstream: text('upstream') };
  const enabled = fields.boolean('enabled') ?? true;
  for (const field of ['name', 'upstream'] as const) {
    if (entry[field] === '') throw new ApiError(400, `missing required field: ${field}${where}`);
  }
  return { ...entry, enabled };
}
