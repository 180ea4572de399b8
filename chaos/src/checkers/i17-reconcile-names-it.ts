import type { Difference } from '@counterfoil/reconcile';

import type { Invariant, Reconciliation, RunFacts } from '../facts.js';
import { plannedFailures } from './expected-failures.js';
import { told } from './finding.js';

/**
 * Reconcile names what is lost, and nothing else: no difference where the plan takes nothing away; else exactly the
 * orders whose stock was not taken, each replayed, and no difference after that.
 */
export const reconcileNamesIt = (facts: RunFacts): Invariant =>
  told({ id: 'I17', needs: ['reconciliation', 'orderMessages', 'deductionNotes', 'decisionNotes'] }, facts, () => {
    const { reconciliation, plan } = facts;
    if (reconciliation === null) return 'nobody reconciled';
    return plan.expected.plannedLoss ? plannedLoss(facts, reconciliation) : noLoss(facts, reconciliation);
  });

function noLoss(facts: RunFacts, { left }: Reconciliation): { detail: string; anomalies: string[] } {
  const unplanned = unplannedOf(facts, left);
  const planned = left.length - unplanned.length;
  return {
    detail: planned === 0 ? 'no difference' : `${String(planned)} differences, all planned`,
    anomalies: unplanned.map(nameOf),
  };
}

function plannedLoss(facts: RunFacts, { differences, missing, left }: Reconciliation) {
  if (missing === null) return 'the stock does not say which orders were lost';
  if (missing.length === 0) return 'nothing was lost: there was nothing to be named';
  const lost = differences.filter(({ kind, route }) => kind === 'not-received' && route === 'deduction');
  const named = new Set(lost.map(({ orderId }) => orderId));
  const replayed = lost.filter(({ repaired }) => repaired === 'done').length;
  const others = unplannedOf(facts, differences).filter((one) => !named.has(one.orderId));
  const gone = new Set<string | null>(missing);
  return {
    detail: `planned loss: ${String(missing.length)} deductions by the stock, ${String(named.size)} named by reconcile, ${String(replayed)} replayed, ${String(left.length)} differences left; among them ${missing.slice(0, 5).join(', ')}`,
    anomalies: [
      ...missing.filter((id) => !named.has(id)).map((id) => `order ${id} was lost and not named`),
      ...lost.filter(({ orderId }) => !gone.has(orderId)).map((one) => `${nameOf(one)}, and it was not lost`),
      ...lost.filter(({ repaired }) => repaired !== 'done').map((one) => `${nameOf(one)}, and was not replayed`),
      ...others.map(nameOf),
      ...unplannedOf(facts, left).map((one) => `${nameOf(one)}, after the repair`),
    ],
  };
}

/** Without what the scenario gives up as planned, or published itself. */
function unplannedOf<D extends Difference>(facts: RunFacts, differences: readonly D[]): D[] {
  const { messages, notes } = plannedFailures(facts);
  return differences.filter(
    ({ messageId }) => messageId === null || !(messages.has(messageId) || notes.has(messageId)),
  );
}

const nameOf = ({ kind, route, orderId, messageId, detail }: Difference): string =>
  `${kind}: order ${orderId ?? 'unknown'}, ${route} ${messageId ?? 'unknown'} (${detail})`;
