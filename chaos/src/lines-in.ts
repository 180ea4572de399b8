/** The lines of a file that are not empty, one by one: the whole of it may be more than a string holds. */
export function* linesIn(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf('\n', from);
    const to = end === -1 ? bytes.length : end;
    if (to > from) yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}
