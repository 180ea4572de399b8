import { isDatabaseTrouble } from '../database/error-kinds.js';
import { MessageTableError, reasonOf } from '../errors.js';

/** A note was refused, and not because of its values: whatever the number means, the message is to be kept. */
export class NotNoted extends Error {
  override readonly name = 'NotNoted';
  constructor(cause: unknown) {
    super(`The note could not be written: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * True for what says nothing about the message being handled, so that it uses none of its attempts: the database's
 * own trouble, a note that could not be written, and a worker id that could not be leased.
 */
export const isNoFaultOfTheMessage = (error: unknown): boolean =>
  isDatabaseTrouble(error) ||
  error instanceof NotNoted ||
  (error instanceof MessageTableError && error.code === 'NO_WORKER_ID');
