import { isDatabaseTrouble } from '../database/error-kinds.js';
import { MessageTableError } from '../errors.js';

/**
 * True for what says nothing about the message being handled, so that it uses none of its attempts: the database's
 * own trouble, and a worker id that could not be leased because of it.
 */
export const isNoFaultOfTheMessage = (error: unknown): boolean =>
  isDatabaseTrouble(error) || (error instanceof MessageTableError && error.code === 'NO_WORKER_ID');
