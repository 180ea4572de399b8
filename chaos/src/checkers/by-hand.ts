import type { RunFacts } from '../facts.js';
import { refusedForGood } from '../recorder/seen-request.js';

/**
 * What was FAILED before a person sent it again, against what the recorder says was refused for good: the same
 * messages, by name.
 *
 * @returns a text when it cannot be told
 */
export function byHandAgainstRecorder({ plan, books, byHand }: RunFacts): readonly string[] | string {
  if (plan.expected.retriedByHand !== true) return [];
  const { http } = books;
  if (http === null || byHand === undefined) return 'nobody looked at what was FAILED before it was sent again';
  const refused = refusedForGood(http);
  if (refused.size === 0) return 'nothing was refused for good';
  const failed = new Map(byHand.failed.map(({ messageId, errorMsg }) => [messageId, errorMsg]));
  const unplanned = [...failed].filter(([messageId]) => !refused.has(messageId));
  const missing = [...refused].filter((messageId) => !failed.has(messageId));
  const stuck = failed.size - byHand.retried;
  return [
    ...unplanned.map(([id, reason]) => `${id} was FAILED, and not refused for good: ${reason ?? 'without a reason'}`),
    ...missing.map((id) => `${id} was refused for good, and not FAILED`),
    ...(stuck > 0 ? [`${String(stuck)} could not be sent again by hand`] : []),
  ];
}
