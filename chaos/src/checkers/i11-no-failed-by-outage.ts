import type { Invariant, MessageRow, NoteRow, Part, RunFacts } from '../facts.js';
import { byHandAgainstRecorder } from './by-hand.js';
import { killerOrders, plannedFailures } from './expected-failures.js';
import { told } from './finding.js';
import { plannedEnds } from './planned-ends.js';

type Row = MessageRow | NoteRow;

/** An outage alone leaves no FAILED: only what the scenario itself makes fail may have been given up, and it has to be. */
export const noFailedByOutage = (facts: RunFacts): Invariant =>
  told({ id: 'I11', needs: needsOf(facts) }, facts, () => {
    const rows = PARTS.flatMap((part): readonly Row[] => facts.books[part]);
    if (rows.length === 0) return 'there is no message';
    const failed = rows.filter(isFailed).length;
    const unplanned = unplannedOf(facts);
    const ends = [byHandAgainstRecorder(facts), plannedEnds(facts)];
    const untold = ends.find((end) => typeof end === 'string');
    if (untold !== undefined && unplanned.length === 0) return untold;
    const sentAgain = facts.byHand === undefined ? '' : `, ${String(facts.byHand.retried)} sent again by hand`;
    return {
      detail: `${String(failed)} FAILED, ${String(failed - unplanned.length)} of them planned${sentAgain}`,
      anomalies: [
        ...unplanned.map(({ messageId, errorMsg }) => `${messageId} is FAILED: ${errorMsg ?? 'without a reason'}`),
        ...ends.flatMap((end) => (typeof end === 'string' ? [] : end)),
      ],
    };
  });

const PARTS = ['orderMessages', 'decisionMessages', 'deductionNotes', 'decisionNotes'] as const;

/** Where a message kills its sender: which it is, and how often it did. */
const needsOf = (facts: RunFacts): readonly Part[] =>
  killerOrders(facts) === null ? PARTS : [...PARTS, 'placed', 'transitions'];

const isFailed = ({ status }: Row): boolean => status === 'FAILED';

function unplannedOf(facts: RunFacts): Row[] {
  const { orderMessages, decisionMessages, deductionNotes, decisionNotes } = facts.books;
  const planned = plannedFailures(facts);
  return [
    ...orderMessages.filter(({ messageId }) => !planned.messages.has(messageId)),
    ...deductionNotes.filter(({ messageId }) => !planned.notes.has(messageId)),
    ...decisionMessages,
    ...decisionNotes,
  ].filter(isFailed);
}
