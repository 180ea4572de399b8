/** Cuts a list into runs whose bytes stay within the bound; one item that is larger is a run of its own. */
export function inParts<Item>(items: readonly Item[], bytesOf: (item: Item) => number, maxBytes: number): Item[][] {
  const parts: Item[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const more = bytesOf(item);
    bytes += more;
    if (bytes > maxBytes) {
      parts.push([]);
      bytes = more;
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}
