import type { Invariant } from '../../facts.js';
import { titleOf } from '../invariant-titles.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { mark } from '../words.js';
import { short, table, type Cell } from './table.js';

/** By their numbers, also those that the scenario does not judge: a reader looks for an id. */
export function invariantsSection({ file: { invariants, notJudged } }: Report): Markup {
  const rows = new Map([
    ...invariants.map((invariant) => [invariant.id, rowOf(invariant)] as const),
    ...Object.entries(notJudged).map(([id, reason]) => [id, unjudgedRow(id, reason)] as const),
  ]);
  const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
  return markup`<h2 id="invariants">Invariants</h2>
${table(
  ['', '', 'Promise', 'What was found'],
  sorted.map(([, row]) => row),
)}`;
}

const promise = (id: string): Cell => ({ className: 'promise', text: titleOf(id) });

const rowOf = ({ id, holds, detail }: Invariant): Cell[] => [
  { className: `short ${holds === null ? 'maybe' : holds ? 'yes' : 'no'}`, text: mark(holds) },
  short(id),
  promise(id),
  holds === null ? `could not be told: ${detail}` : detail,
];

const unjudgedRow = (id: string, reason: string): Cell[] => [
  short('–'),
  short(id),
  promise(id),
  `not judged: ${reason}`,
];
