import { coverageOf, type Cell as CoverageCell, type Coverage } from '../data/coverage.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { short, table, type Cell } from './table.js';

export function coverageSection({ facts }: Report): Markup {
  const coverage = coverageOf(facts);
  return markup`<h2>Steps met by faults</h2>
${coverage.rows.length === 0 || coverage.kinds.length === 0 ? EMPTY : matrix(coverage)}`;
}

const EMPTY = markup`<p class="soft">Empty: no process reported a step of the protocol, or nothing was broken. Which step a fault met is not known for this run.</p>`;

const matrix = ({
  kinds,
  rows,
}: Coverage): Markup => markup`<p class="soft">A filled circle: the fault came while a process was at that step. An empty one: the scenario asks for it, and it was never met.</p>
${table(
  ['Step', ...kinds],
  rows.map(({ step, cells }) => [short(step), ...cells.map(cellOf)]),
  'matrix',
)}`;

function cellOf({ isHit, isRequired }: CoverageCell): Cell {
  if (isHit) return { className: 'yes', text: isRequired ? '● required' : '●' };
  return isRequired ? { className: 'no', text: '○ required, never met' } : { className: 'soft', text: '·' };
}
