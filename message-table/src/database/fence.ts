import { asNumber, byId } from './rows.js';

/**
 * The bindings of `id IN (?) AND … AND (id, version) IN (?)`: the list is what the primary key is walked by, the
 * pairs are the fence. Ascending, so that everybody locks in one order.
 */
export function fenceOf(
  rows: readonly { readonly id: string; readonly version: number }[],
): [bigint[], [bigint, number][]] {
  const sorted = [...rows].sort(byId);
  return [sorted.map(({ id }) => asNumber(id)), sorted.map(({ id, version }) => [asNumber(id), version])];
}
