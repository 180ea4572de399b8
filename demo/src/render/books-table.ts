import type { LatencySummary, LoadSummary } from '@counterfoil/loadtest';

import type { Finding } from '../books/findings.js';
import type { Judgement } from '../books/judge.js';
import { cores, count, duration } from './format.js';
import type { Paint } from './paint.js';
import type { Screen } from './screen.js';

const LABEL = 21;
const NUMBER = 18;

/** Where details of what holds have no room they are left out; of what does not hold they are always said. */
const WIDE = 84;

export function booksLines(
  { counts, findings, doubts, verdict }: Judgement,
  { paint, width }: Pick<Screen, 'paint' | 'width'>,
): string[] {
  const row = (label: string, value: number | bigint, note = ''): string =>
    `  ${label.padEnd(LABEL)}${paint.bold(count(value).padStart(NUMBER))}  ${paint.dim(note)}`.trimEnd();
  const bad = (label: string, value: number): string =>
    `  ${label.padEnd(LABEL)}${(value === 0 ? paint.green : paint.red)(count(value).padStart(NUMBER))}`;
  return [
    paint.bold('The books') + paint.dim(', counted in the two databases'),
    '',
    row('orders', counts.orders),
    row('messages', counts.messages),
    row('deductions', counts.deducted, 'by the stock'),
    row('confirmed', counts.confirmed),
    row('rejected', counts.rejected),
    '',
    row('stock before', counts.stockBefore, `${count(counts.products)} products`),
    row('confirmed orders', -counts.confirmedPieces),
    row('stock after', counts.stockAfter),
    '',
    bad('lost', counts.lost),
    bad('doubled', counts.doubled),
    ...(counts.phantom > 0 ? [bad('phantom', counts.phantom)] : []),
    '',
    ...findings.map((finding) => findingLine(finding, width, paint)),
    '',
    verdictLine(verdict, paint),
    ...doubts.map((doubt) => `  ${paint.yellow('?')} ${doubt}`),
  ];
}

function findingLine({ id, says, holds, detail }: Finding, width: number, paint: Paint): string {
  const start = `  ${holds ? paint.green('✓') : paint.red('✗')} ${paint.dim(id.padEnd(4))}${says.padEnd(42)}`;
  return holds && width < WIDE ? start.trimEnd() : start + paint.dim(detail);
}

function verdictLine(verdict: Judgement['verdict'], paint: Paint): string {
  switch (verdict) {
    case 'valid':
      return paint.green(paint.bold('The books hold: no order was lost, none was deducted twice.'));
    case 'invalid':
      return paint.red(paint.bold('The books do not hold.'));
    case 'unknown':
      return paint.yellow(paint.bold('The books hold so far, but this run cannot tell:'));
  }
}

const COLUMNS = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
  ['max', 'max'],
] as const;
const NARROW_COLUMNS = COLUMNS.filter(([name]) => ['p50', 'p99', 'max'].includes(name));

export interface Measured {
  readonly seconds: number;
  readonly load: LoadSummary;
  readonly confirmationMs: LatencySummary;
  readonly cores: ReadonlyMap<string, number>;
}

export function measuredLines(
  { seconds, load, confirmationMs, cores: used }: Measured,
  { paint, width }: Pick<Screen, 'paint' | 'width'>,
): string[] {
  const columns = width < WIDE ? NARROW_COLUMNS : COLUMNS;
  const latency = (label: string, summary: LatencySummary): string =>
    `  ${label.padEnd(LABEL)}${columns.map(([, key]) => duration(summary[key]).padStart(10)).join('')}`;
  const all = [...used.values()].reduce((sum, value) => sum + value, 0);
  return [
    paint.bold('Measured') + paint.dim(` for ${String(seconds)} s after warm-up, ${count(load.rate)} orders/s`),
    '',
    paint.dim(`  ${''.padEnd(LABEL)}${columns.map(([name]) => name.padStart(10)).join('')}`),
    latency('POST /orders', load.latencyMs),
    latency('stored to confirmed', confirmationMs),
    latency('load sent late', load.latenessMs),
    ...(used.size === 0
      ? []
      : [
          '',
          paint.dim(`  ${'CPU'.padEnd(LABEL)}${'cores'.padStart(10)}`),
          ...[...used].map(([name, value]) => `  ${name.padEnd(LABEL)}${cores(value).padStart(10)}`),
          `  ${'in all'.padEnd(LABEL)}${paint.bold(cores(all).padStart(10))}`,
        ]),
  ];
}
