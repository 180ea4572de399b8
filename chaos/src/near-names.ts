const MOST = 3;

/** Those of the names that somebody who wrote `asked` may have meant, the nearest first; all when none is near. */
export function nearNames(asked: string, names: readonly string[]): readonly string[] {
  const near = names
    .map((name) => ({ name, apart: name.includes(asked) || asked.includes(name) ? 0 : editsBetween(asked, name) }))
    .filter(({ name, apart }) => apart <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.apart - b.apart);
  return near.length === 0 ? names : near.slice(0, MOST).map(({ name }) => name);
}

/** An error that names what was meant: `There is no scenario 'relay-kil'. Near it: relay-kill`. */
export function noSuch(what: string, asked: string, names: readonly string[]): Error {
  const near = nearNames(asked, names);
  const hint = near.length === names.length ? 'There are:' : 'Near it:';
  return new Error(`There is no ${what} '${asked}'. ${hint} ${near.join(', ')}`);
}

/** Letters to be changed, put in or left out (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let line = 0; line < a.length; line += 1) {
    const next = [line + 1];
    for (let at = 0; at < b.length; at += 1) {
      const kept = (row[at] ?? 0) + (a[line] === b[at] ? 0 : 1);
      next.push(Math.min(kept, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
