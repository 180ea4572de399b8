import type { LiveView, ProcessView } from '../live/live-view.js';
import { barChart } from './chart.js';
import { count, duration } from './format.js';
import { fit, flow, type Paint } from './paint.js';

const LABEL = 20;
const RATE = 8;
const NUMBER = 11;
const CHART_LINES = 3;

/** The block that is drawn again and again in a terminal. */
export function panelLines(view: LiveView, width: number, paint: Paint): string[] {
  const inner = width - 2;
  const lines = [
    timeLine(view, inner, paint),
    '',
    ...flow(
      view.processes.map((one) => processText(one, paint)),
      '   ',
      inner,
    ),
    '',
    numbers('orders taken', view.orders.perSecond, view.orders.ok, paint),
    ...labelled('', refusals(view, paint)),
    numbers('orders confirmed', view.confirmed.perSecond, view.confirmed.total, paint),
    ...labelled('messages sent by', senders(view, inner - LABEL, paint)),
    ...labelled('answered within', [`p50 ${duration(view.latencyMs.p50)}   p99 ${duration(view.latencyMs.p99)}`]),
    ...waitingLines(view, inner, paint),
  ];
  return lines.map((line) => (line === '' ? '' : fit(`  ${line}`, width)));
}

/** For a log or a pipe: the same on one line. */
export function liveLine({ stage, seconds, orders, confirmed, waiting, latencyMs, processes }: LiveView): string {
  const down = processes.filter(({ state }) => state !== 'up').map(({ name }) => name);
  return [
    `${seconds.toFixed(0).padStart(3)} s`,
    stage === 'load' ? `orders ${rate(orders.perSecond)}` : STAGES[stage],
    `confirmed ${rate(confirmed.perSecond)}`,
    `waiting ${waiting === null ? '?' : count(waiting)}`,
    ...(stage === 'load' ? [`p50 ${duration(latencyMs.p50)} p99 ${duration(latencyMs.p99)}`] : []),
    ...(down.length === 0 ? [] : [`down: ${down.join(', ')}`]),
  ].join('  ');
}

const STAGES = { settling: 'waiting until all is final', books: 'reading the books' } as const;

const rate = (perSecond: number | null): string => (perSecond === null ? '–' : `${count(perSecond)}/s`);

function timeLine({ stage, seconds, totalSeconds }: LiveView, width: number, paint: Paint): string {
  if (stage !== 'load')
    return `${`second ${String(Math.floor(seconds))}`.padEnd(LABEL)}${paint.bold(`${STAGES[stage]} …`)}`;
  const label = `second ${String(Math.floor(seconds))} of ${String(totalSeconds)}`.padEnd(LABEL);
  const room = width - LABEL;
  const full = Math.round(Math.min(1, seconds / totalSeconds) * room);
  return `${paint.bold(label)}${paint.green('━'.repeat(full))}${paint.dim('─'.repeat(room - full))}`;
}

const SIGNS = { up: '●', starting: '◌', down: '✗' } as const;

function processText({ name, state }: ProcessView, paint: Paint): string {
  const colour = { up: paint.green, starting: paint.yellow, down: paint.red }[state];
  return `${colour(SIGNS[state])} ${state === 'up' ? name : colour(name)}`;
}

const numbers = (label: string, perSecond: number | null, total: number, paint: Paint): string =>
  `${label.padEnd(LABEL)}${paint.bold(rate(perSecond).padStart(RATE))}${count(total).padStart(NUMBER)}`;

function refusals({ orders: { fail, info } }: LiveView, paint: Paint): string[] {
  return fail + info === 0 ? [] : [paint.yellow(`${count(fail)} refused, ${count(info)} without an answer`)];
}

const labelled = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? label : '').padEnd(LABEL)}${line}`);

function senders({ sentBy }: LiveView, width: number, paint: Paint): string[] {
  const texts = sentBy.map(({ name, perSecond }) => `${name} ${paint.bold(rate(perSecond))}`);
  return texts.length === 0 ? ['–'] : flow(texts, '   ', width);
}

function waitingLines({ waiting, waitingBefore, totalSeconds }: LiveView, width: number, paint: Paint): string[] {
  const chart = barChart(waitingBefore, { width: width - LABEL, height: CHART_LINES, totalSeconds });
  const now = waiting === null ? '?' : count(waiting);
  const labels = ['waiting to be sent', paint.bold(now.padStart(RATE).padEnd(LABEL)), ''];
  return chart.map((bars, line) => `${(labels[line] ?? '').padEnd(LABEL)}${paint.yellow(bars)}`);
}
