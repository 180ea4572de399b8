import type { Invariant } from '../facts.js';
import { titleOf } from './invariant-titles.js';
import { replayCommand, type Report } from './report.js';
import { count, mark, ms, seconds, VERDICT_MARKS } from './words.js';

/** Markdown for GitHub's step summary: the verdict at a glance, all invariants folded away. */
export function stepSummary(report: Report): string {
  const { verdict, scenario, seed, reasons, invariants, notJudged } = report.file;
  return [
    `## ${VERDICT_MARKS[verdict]} ${cell(scenario)}: ${verdict}`,
    `Seed ${String(seed)}${report.file.sabotage === null ? '' : `, sabotage ${cell(report.file.sabotage)}`}`,
    reasons.map((reason) => `- ${cell(reason)}`).join('\n'),
    figures(report),
    `\`\`\`sh\n${replayCommand(report)}\n\`\`\``,
    `<details><summary>${String(invariants.length)} invariants</summary>`,
    table(['', '', 'Invariant', 'Found'], [...invariants.map(rowOf), ...Object.entries(notJudged).map(unjudged)]),
    '</details>\n',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function figures({ file: { counts, latencyMs, throughput, recoveryMs } }: Report): string {
  const { attempted, ok, fail, info, lost, doubled } = counts;
  return table(
    ['Orders', 'ok', 'refused', 'unknown', 'lost', 'doubled', 'rate', 'p50', 'p99', 'all final after'],
    [
      [
        ...[attempted, ok, fail, info, lost, doubled].map(count),
        `${throughput.rate.toFixed(0)}/s`,
        ms(latencyMs.p50),
        ms(latencyMs.p99),
        recoveryMs === null ? 'never' : seconds(recoveryMs),
      ],
    ],
  );
}

const rowOf = ({ id, holds, detail }: Invariant): string[] => [mark(holds), id, titleOf(id), detail];
const unjudged = ([id, reason]: [string, string]): string[] => ['–', id, titleOf(id), `not judged: ${reason}`];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** Text of a run in a line of Markdown: no HTML, no new column, no new line. */
const cell = (text: string): string =>
  text.replace(/[\\`*_[\]|<>#~]/g, (character) => `&#${String(character.charCodeAt(0))};`).replace(/\s+/g, ' ');
