import { backdropOf } from '../chart/backdrop.js';
import { chartFigure } from '../chart/chart.js';
import { orderCharts } from '../data/order-charts.js';
import { sampleCharts } from '../data/sample-charts.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { VERDICT_MARKS } from '../words.js';
import { anomaliesSection } from './anomalies-section.js';
import { coverageSection } from './coverage-section.js';
import { faultsSection } from './faults-section.js';
import { invariantsSection } from './invariants-section.js';
import { planSection } from './plan-section.js';
import { STYLE } from './style.js';
import { verdictSection } from './verdict-section.js';

/** One file that needs nothing else. The policy holds it to that: no script, nothing from the network. */
export function reportPage(report: Report): string {
  const { scenario, verdict } = report.file;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${VERDICT_MARKS[verdict]} ${scenario}</title>
<style>${STYLE}</style></head>
<body><main>
${verdictSection(report)}${chartsSection(report)}${invariantsSection(report)}${anomaliesSection(report)}${faultsSection(report)}${coverageSection(report)}${planSection(report)}</main></body></html>
`.text;
}

function chartsSection({ facts }: Report): Markup {
  const backdrop = backdropOf(facts);
  const charts = [...orderCharts(facts.history, backdrop.lengthMs), ...sampleCharts(facts.samples)];
  return markup`<h2>Over time</h2>
${backdrop.windows.length === 0 ? null : markup`<p class="soft">Shaded: a fault is in force. Point at a chart to read its values.</p>`}
${charts.map((chart) => chartFigure(chart, backdrop))}`;
}
