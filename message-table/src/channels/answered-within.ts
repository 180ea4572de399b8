import { reasonOf } from '../errors.js';
import { unknown, type Outcome } from './outcome.js';

/**
 * Makes an outcome of whatever becomes of an attempt, at the latest after `timeoutMs`: what a channel's `send` promises.
 * Work that cannot be ended goes on unheard.
 */
export async function answeredWithin(timeoutMs: number, attempt: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(unknown(`No answer in ${String(timeoutMs)} ms`)), timeoutMs);
  });
  const answered = attempt.catch((error: unknown) => unknown(reasonOf(error)));
  return Promise.race([answered, tooLate]).finally(() => clearTimeout(timer));
}
