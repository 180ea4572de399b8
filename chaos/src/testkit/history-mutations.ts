import type { RunFacts } from '../facts.js';
import type { HistoryRecord } from '../history.js';
import { double, drop, flip } from './mutate.js';
import type { Mutation } from './mutations.js';

/** Records of the history, dropped or told otherwise. */
export function historyMutations(facts: RunFacts): Mutation[] {
  const with_ = (name: string, history: readonly HistoryRecord[], neutral: string | null = null): Mutation => ({
    name,
    facts: { ...facts, history },
    neutral,
  });
  return facts.history.flatMap((record, at) => {
    const of = `history[${String(at)}] ${record.kind}`;
    const dropped = with_(`${of} dropped`, drop(facts.history, at), mayBeMissing(record));
    if (record.kind === 'fault')
      return [
        dropped,
        with_(
          `${of} without effect`,
          flip(facts.history, at, { effect: {} }),
          record.phase === 'begin' ? 'its end tells' : null,
        ),
      ];
    if (record.kind !== 'order') return [dropped];
    return [
      dropped,
      with_(`${of} doubled`, double(facts.history, at)),
      with_(`${of} unknown`, flip(facts.history, at, { ...record, outcome: 'info' })),
      with_(`${of} failed`, flip(facts.history, at, { ...record, outcome: 'fail' })),
      with_(`${of} of another id`, flip(facts.history, at, { ...record, orderId: 'other' })),
      with_(`${of} of another index`, flip(facts.history, at, { ...record, index: record.index + 1 })),
    ];
  });
}

function mayBeMissing(record: HistoryRecord): string | null {
  if (record.kind === 'process') return 'the fault itself tells of this exit';
  return record.kind === 'phase' && record.name !== 'load' ? 'another phase marks the same moment' : null;
}
