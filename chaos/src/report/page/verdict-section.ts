import { SCENARIOS } from '../../scenarios/all.js';
import { markup, type Markup } from '../markup.js';
import { replayCommand, type Report } from '../report.js';
import { count, ms, seconds, VERDICT_MARKS } from '../words.js';

/** What a reader wants first: how it ended, why, in which figures, and how to see it again. */
export function verdictSection(report: Report): Markup {
  const { verdict, scenario, seed, sabotage, reasons } = report.file;
  const story = SCENARIOS.find(({ name }) => name === scenario)?.story;
  return markup`<header class="${verdict}">
<h1><span class="word">${VERDICT_MARKS[verdict]} ${verdict}</span> · ${scenario}</h1>
<p class="soft">${story ?? null}</p>
<p class="soft">Seed ${String(seed)}${sabotage === null ? null : markup`, sabotage <b>${sabotage}</b>`}.</p>
</header>
${reasons.length === 0 ? null : markup`<ul class="reasons">${reasons.map((reason) => markup`<li>${reason}</li>\n`)}</ul>`}
${figures(report)}
<p class="soft">The same plan again:</p>
<pre>${replayCommand(report)}</pre>
${report.notes.length === 0 ? null : markup`<ul class="reasons soft">${report.notes.map((note) => markup`<li>${note}</li>`)}</ul>`}
`;
}

function figures({ file }: Report): Markup {
  const { counts, latencyMs, latenessMs, throughput, recoveryMs } = file;
  const { attempted, ok, fail, info, lost, doubled, duplicates, unresolved } = counts;
  return markup`<dl class="figures">
${figure('orders', count(attempted))}${figure('ok', count(ok))}${figure('refused', count(fail))}${figure('unknown', count(info))}
${figure('lost', count(lost), lost)}${figure('doubled', count(doubled), doubled)}${figure('undecided', count(unresolved), unresolved)}${figure('sent again', count(duplicates))}
${figure('load', `${throughput.rate.toFixed(0)}/s`)}${figure('p50', ms(latencyMs.p50))}${figure('p99', ms(latencyMs.p99))}${figure('sent late, p99', ms(latenessMs.p99))}
${figure('all final after', recoveryMs === null ? 'never' : seconds(recoveryMs), recoveryMs === null ? 1 : 0)}
</dl>`;
}

/** @param wrong a number of which any is too many */
const figure = (name: string, text: string, wrong: number | null = 0): Markup =>
  markup`<div><dt>${name}</dt><dd class="${(wrong ?? 0) > 0 ? 'wrong' : ''}">${text}</dd></div>`;
