/** Keys are compared byte by byte on every server; a blank at an end would be equal to none on some. */
export const isUsableKey = (key: unknown, maxLength = 64): key is string =>
  typeof key === 'string' && key.length <= maxLength && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key);

/** @throws TypeError for a name that does not fit its column: it would only show as rows that nobody can write */
export function assertUsableKey(what: string, key: string, maxLength = 64): void {
  if (isUsableKey(key, maxLength)) return;
  throw new TypeError(
    `${what} must be 1 to ${String(maxLength)} printable ASCII characters without blanks at the ends`,
  );
}
