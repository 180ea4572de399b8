/** By key; more than one where the run went wrong. */
export function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Keys that stand for more than one. */
export const repeated = <Key>(groups: ReadonlyMap<Key, readonly unknown[]>): Key[] =>
  [...groups].filter(([, group]) => group.length > 1).map(([key]) => key);
