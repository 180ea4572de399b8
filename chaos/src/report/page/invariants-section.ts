import type { Invariant } from '../../facts.js';
import { titleOf } from '../invariant-titles.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { mark } from '../words.js';
import { short, table, type Cell } from './table.js';

export function invariantsSection({ file: { invariants, notJudged } }: Report): Markup {
  const unjudged = Object.entries(notJudged).map(([id, reason]): Cell[] => [
    short('–'),
    short(id),
    titleOf(id),
    `not judged: ${reason}`,
  ]);
  return markup`<h2 id="invariants">Invariants</h2>
${table(['', '', 'Promise', 'What was found'], [...invariants.map(rowOf), ...unjudged])}`;
}

const rowOf = ({ id, holds, detail }: Invariant): Cell[] => [
  { className: `short ${holds === null ? 'maybe' : holds ? 'yes' : 'no'}`, text: mark(holds) },
  short(id),
  titleOf(id),
  holds === null ? `could not be told: ${detail}` : detail,
];
