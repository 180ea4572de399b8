import type { LogFinding } from '../facts.js';

interface Pattern {
  readonly why: LogFinding['why'];
  readonly says: RegExp;
}

/** In no log of any process, whatever was broken around it. */
export const FORBIDDEN: readonly Pattern[] = [
  { why: 'unhandled', says: /unhandled ?rejection|UnhandledPromiseRejection|uncaught ?exception/i },
  // pino's level fatal, as a number or a word.
  { why: 'forbidden', says: /"level":(?:60|"fatal")[,}]/ },
  { why: 'forbidden', says: /this is a bug|you hit a bug/i },
  { why: 'forbidden', says: /FATAL ERROR:|JavaScript heap out of memory|Segmentation fault/ },
  { why: 'forbidden', says: /MaxListenersExceededWarning/ },
  // A URL with a password in it. One that was struck out (***, xxxx, <…>, […]) is none.
  {
    why: 'secret',
    says: /\b(?:mysql|mariadb|amqps?|https?):\/\/[^\s:/@"']*:(?![*x]{2,}@|<|\[|%2A|redacted@)[^\s/@"']+@/i,
  },
];

/**
 * Where a secret of the run stands in a line. A short one is a word that also stands in harmless places (the
 * password of the local stack is the product's name), so it counts only where a password belongs.
 */
export function secretPattern(secret: string): RegExp {
  const literal = secret.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const isWeak = secret.length < 16 && /^[a-z]+$/i.test(secret);
  return new RegExp(isWeak ? `(?:passw(?:or)?d|pwd|secret)\\W{1,6}${literal}\\b|:${literal}@` : literal, 'i');
}
