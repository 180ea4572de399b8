import type { Invariant, RunFacts } from '../facts.js';
import { byHandAgainstRecorder } from './by-hand.js';
import { isPlannedFailure } from './expected-failures.js';
import { told } from './finding.js';

/** An outage alone leaves no FAILED: only what the scenario plans may have been given up. */
export const noFailedByOutage = (facts: RunFacts): Invariant =>
  told({ id: 'I11', needs: ['orderMessages', 'decisionMessages', 'deductionNotes', 'decisionNotes'] }, facts, () => {
    const { orderMessages, decisionMessages, deductionNotes, decisionNotes } = facts.books;
    const rows = [...orderMessages, ...decisionMessages, ...deductionNotes, ...decisionNotes];
    if (rows.length === 0) return 'there is no message';
    const failed = rows.filter(({ status }) => status === 'FAILED');
    const unplanned = failed.filter((row) => !isPlannedFailure(facts, row));
    const planned = failed.length - unplanned.length;
    const { failuresAtMost = Infinity } = facts.plan.expected;
    const byHand = byHandAgainstRecorder(facts);
    if (typeof byHand === 'string') return byHand;
    const sentAgain = facts.byHand === undefined ? '' : `, ${String(facts.byHand.retried)} sent again by hand`;
    return {
      detail: `${String(failed.length)} FAILED, ${String(planned)} of them planned${sentAgain}`,
      anomalies: [
        ...byHand,
        ...unplanned.map(({ messageId, errorMsg }) => `${messageId} is FAILED: ${errorMsg ?? 'without a reason'}`),
        ...(planned > failuresAtMost
          ? [`${String(planned)} are FAILED as planned of no more than ${String(failuresAtMost)}`]
          : []),
      ],
    };
  });
