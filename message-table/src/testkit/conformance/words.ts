import type { Outcome } from '../../channels/outcome.js';

/** True for one of the three outcomes, with a reason where there must be one. */
export const answers = (outcome: Outcome): boolean =>
  outcome.kind === 'confirmed' || (['refused', 'unknown'].includes(outcome.kind) && typeof outcome.reason === 'string');

/** True for a name that fits the columns of pauses and parked rows. */
export const printable = (name: string | undefined): boolean => name !== undefined && /^[\x20-\x7e]{0,200}$/.test(name);
