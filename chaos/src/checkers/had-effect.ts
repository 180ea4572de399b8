import type { FaultKind } from '../plan.js';
import type { FaultWindow } from './fault-windows.js';

/**
 * What of a measured effect shows that a fault did something. The rest says how long it lasted, or what went by at the time:
 * a limit that nobody came up against, or a slow line that nobody used, has broken nothing.
 */
const SHOWN_BY: Readonly<Record<FaultKind, readonly string[]>> = {
  kill: ['exits'],
  'kill-node': ['exits'],
  disconnect: ['cutOff'],
  stop: ['exits'],
  'crash-at': ['crashesAtStep'],
  pause: ['pausedMs'],
  'halt-at': ['haltsAtStep'],
  'killer-message': ['killedByMessage'],
  cut: ['droppedBytes', 'resets', 'closes', 'probesCut', 'probesUnanswered'],
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

export const hadEffect = ({ fault, effect }: Pick<FaultWindow, 'fault' | 'effect'>): boolean =>
  Object.entries(effect ?? {}).some(
    ([name, value]) => value > 0 && SHOWN_BY[fault.kind].some((shown) => name.startsWith(shown)),
  );
