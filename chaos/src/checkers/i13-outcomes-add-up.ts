import type { Invariant, RunFacts } from '../facts.js';
import type { HistoryRecord } from '../history.js';
import { NO_ORDERS, told } from './finding.js';
import { groupBy, repeated } from './lookup.js';

type OrderRecord = Extract<HistoryRecord, { kind: 'order' }>;

/** ok + fail + info = attempted, and the history has each attempted order once: nothing was dropped on the way. */
export const outcomesAddUp = (facts: RunFacts): Invariant =>
  told({ id: 'I13', needs: [] }, facts, () => {
    const { attempted, ok, fail, info } = facts.load;
    if (attempted === 0) return NO_ORDERS;
    const sum = ok + fail + info;
    const records = facts.history.filter((record) => record.kind === 'order');
    return {
      detail: `${String(ok)} ok + ${String(fail)} fail + ${String(info)} info = ${String(attempted)}`,
      anomalies: [
        ...(sum === attempted ? [] : [`the outcomes add up to ${String(sum)} of ${String(attempted)} orders`]),
        ...gaps(records, attempted),
        ...otherOutcomes(records, facts),
      ],
    };
  });

function gaps(records: readonly OrderRecord[], attempted: number): string[] {
  const byIndex = groupBy(records, ({ index }) => index);
  const missing = Array.from({ length: attempted }, (_, index) => index).filter((index) => !byIndex.has(index));
  return [
    ...missing.map((index) => `order ${String(index)} was attempted and has no outcome in the history`),
    ...repeated(byIndex).map((index) => `order ${String(index)} has two outcomes in the history`),
    ...[...byIndex.keys()]
      .filter((index) => index >= attempted)
      .map((index) => `order ${String(index)} was never attempted`),
  ];
}

/** The generator's own account of who failed and who is unknown. */
function otherOutcomes(records: readonly OrderRecord[], { load }: RunFacts): string[] {
  const failed = new Set(load.failed);
  const unknown = new Set(load.unknown);
  const counts = `${String(failed.size)} ${String(unknown.size)}`;
  const counted = `${String(load.fail)} ${String(load.info)}`;
  return [
    ...(counts === counted ? [] : [`the generator names ${counts} and counts ${counted} failed and unknown orders`]),
    ...records
      .filter(({ index, outcome }) => outcome !== (failed.has(index) ? 'fail' : unknown.has(index) ? 'info' : 'ok'))
      .map(({ index, outcome }) => `order ${String(index)} is ${outcome} in the history and not for the generator`),
  ];
}
