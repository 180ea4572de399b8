import type { FaultKind } from '../plan.js';
import type { FaultWindow } from './fault-windows.js';

/**
 * What of a measured effect shows that a fault did something. The rest says how long it lasted, or what went by at the time:
 * a limit that nobody came up against, or a slow line that nobody used, has broken nothing.
 */
const SHOWN_BY: Readonly<Record<Exclude<FaultKind, 'cut'>, readonly string[]>> = {
  kill: ['exits'],
  'kill-node': ['exits'],
  disconnect: ['cutOff'],
  stop: ['exits'],
  'crash-at': ['crashesAtStep'],
  pause: ['pausedMs'],
  'halt-at': ['haltsAtStep'],
  'killer-message': ['killedByMessage'],
  slow: ['delayedChunks', 'probesDelayedMs'],
  slice: ['pieces', 'probesMorePieces'],
  alarm: ['processesBlocked'],
  unbind: ['messagesReturned'],
  'queue-limit': ['attemptsFailed'],
  'delete-queue': ['queuesDeleted'],
  'old-partition': ['oldPartitionsDropped'],
  poison: ['poisoned'],
  deadlocks: ['lockingRounds'],
  'missing-products': ['productsMissing'],
  'dead-letters': ['rejections', 'deadCopies'],
  'pause-sending': ['waiting'],
  // Its status follows: `answered503`.
  'http-answer': ['answered'],
  'http-hold': ['answersHeld'],
  scale: ['relaysChanged'],
};

/** Bytes that went into nothing, or connections that were reset; or what a connection of the harness's own met. */
const CUT_SHOWN_BY = {
  swallow: ['droppedBytes', 'probesCut', 'probesUnanswered'],
  reset: ['resets', 'probesCut', 'probesUnanswered'],
} as const;

export const hadEffect = ({ fault, effect }: Pick<FaultWindow, 'fault' | 'effect'>): boolean => {
  const shownBy = fault.kind === 'cut' ? CUT_SHOWN_BY[fault.how] : SHOWN_BY[fault.kind];
  return Object.entries(effect ?? {}).some(
    ([name, value]) => value > 0 && shownBy.some((shown) => name.startsWith(shown)),
  );
};
