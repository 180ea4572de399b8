import { CONFIRMED, refused, refusedForGood, unknown, type Outcome } from '../outcome.js';

/** What an ending says about the message and about its destination; docs/reference/http-answers.md is the table. */
export type Verdict = 'confirmed' | 'trouble' | 'refused' | 'refused for good';

const TROUBLE = new Set([429, 502, 503, 504]);
// Too slow, too early: another attempt can end differently, though the class says that the request is wrong.
const WORTH_ANOTHER = new Set([408, 425]);

export function verdictOfStatus(status: number): Verdict {
  if (TROUBLE.has(status)) return 'trouble';
  if (WORTH_ANOTHER.has(status)) return 'refused';
  const hundreds = Math.floor(status / 100);
  if (hundreds === 2) return 'confirmed';
  return hundreds === 3 || hundreds === 4 ? 'refused for good' : 'refused';
}

const REFUSED_BY_CODE: readonly [RegExp, Verdict][] = [
  [/^HPE_INVALID_EOF_STATE$/, 'trouble'], // cut off in the middle
  // An answer, but no HTTP: also a body that its head rules out, and a number that is no status (the client asserts).
  [/^HPE_|^HTTPParserError$|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$|^ERR_ASSERTION$/, 'refused'],
  [/^UND_ERR_(INVALID_ARG|NOT_SUPPORTED)$/, 'refused for good'], // the request cannot be written
];

/** No answer: refused, reset, timed out, no name, no TLS. Everything not known better is the destination's trouble. */
export function verdictOfError(error: unknown): Verdict {
  // undici's words for a status of the 100s that ends nothing; the code alone would be a cut line.
  if (error instanceof Error && /^bad (response|upgrade)$/.test(error.message)) return 'refused';
  const code = codeOf(error);
  return REFUSED_BY_CODE.find(([codes]) => codes.test(code))?.[1] ?? 'trouble';
}

/** The code only: messages of errors may quote what was sent. */
export function codeOf(error: unknown): string {
  // Not by its class: what Node itself throws may be of another realm.
  if (typeof error !== 'object' || error === null) return 'UNKNOWN';
  const { code, name } = error as { code?: unknown; name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'UNKNOWN';
}

export interface Ending {
  readonly verdict: Verdict;
  readonly reason: string;
  /** What `Retry-After` asked for, bounded. */
  readonly pauseMs?: number | null;
}

/**
 * @param hostAnswers another request to the host succeeded lately. Then its trouble is with this message: it uses an
 *   attempt, so that one message that always times out does not keep its destination's breaker open.
 */
export function toOutcome({ verdict, reason, pauseMs }: Ending, hostAnswers: boolean): Outcome {
  const pause = typeof pauseMs === 'number' ? { pauseMs } : {};
  switch (verdict) {
    case 'confirmed':
      return CONFIRMED;
    case 'refused for good':
      return refusedForGood(reason);
    case 'refused':
      return { ...refused(reason), ...pause };
    case 'trouble':
      return hostAnswers ? { ...refused(reason), ...pause } : { ...unknown(reason), ...pause };
  }
}
