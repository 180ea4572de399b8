/** Keys are compared byte by byte on every server; a blank at an end would be equal to none on some. */
export const isUsableKey = (key: unknown, maxLength = 64): key is string =>
  typeof key === 'string' && key.length <= maxLength && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key);
