import type { RunFacts } from '../facts.js';
import { withBooks } from './mutate.js';
import type { Mutation } from './mutations.js';

/** Counts of the tap, and the stock before and after. */
export function mapMutations(facts: RunFacts): Mutation[] {
  const { tap, decisionTap, startStock, endStock } = facts.books;
  const change = <Value>(
    name: string,
    map: ReadonlyMap<unknown, Value> | null,
    lie: (value: Value) => Value,
  ): Mutation[] =>
    [...(map ?? [])].flatMap(([key, value]) => [
      made(`${name} ${String(key)} dropped`, name, new Map([...(map ?? [])].filter(([one]) => one !== key))),
      made(`${name} ${String(key)} changed`, name, new Map(map).set(key, lie(value))),
    ]);
  const made = (what: string, name: string, map: ReadonlyMap<unknown, unknown>): Mutation => ({
    ...{ name: what, neutral: null },
    facts: withBooks(facts, () => ({ [name]: map })),
  });
  return [
    ...change('tap', tap, (count) => count + 1),
    ...change('decisionTap', decisionTap, (count) => count + 1),
    ...change('startStock', startStock, (stock) => stock + 1n),
    ...change('endStock', endStock, (stock) => stock - 1n),
  ];
}
