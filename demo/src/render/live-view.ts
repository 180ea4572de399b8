import type { LiveNumbers, rates } from '../live/live-numbers.js';
import { cores, count, duration } from './format.js';
import { fit, wrap, type Paint } from './paint.js';

export interface LiveFrame {
  readonly numbers: LiveNumbers;
  readonly rates: ReturnType<typeof rates>;
  /** Of the whole load, warm-up included. */
  readonly totalSeconds: number;
}

const LABEL = 21;
const NUMBER = 18;
const BAR = 24;
const PHASES = { 'warm-up': 'warming up', measured: 'measuring', draining: 'finishing' } as const;

/** The block that is drawn again and again in a terminal. */
export function liveLines({ numbers, rates: rate, totalSeconds }: LiveFrame, width: number, paint: Paint): string[] {
  const { load, backlog } = numbers;
  const line = (label: string, value: string, note = ''): string =>
    `  ${label.padEnd(LABEL)}${paint.bold(value.padStart(NUMBER))}  ${paint.dim(note)}`;
  const counted = (label: string, value: number, perSecond: number): string =>
    line(label, count(value), `${count(perSecond).padStart(6)}/s`);
  const lines = [
    `  ${PHASES[load.phase].padEnd(LABEL)}${bar(load.elapsedMs / 1000 / totalSeconds, paint)}  ${seconds(load.elapsedMs, totalSeconds)}`,
    '',
    counted('orders placed', load.ok, rate.placed),
    counted('  sent by fast path', numbers.sentByFastPath, rate.sentByFastPath),
    counted('  sent by relay', numbers.sentByRelay, rate.sentByRelay),
    counted('stock deducted', numbers.deducted, rate.deducted),
    counted('orders confirmed', numbers.confirmed, rate.confirmed),
    ...(numbers.rejected > 0 ? [line('orders rejected', count(numbers.rejected))] : []),
    line('backlog', count(backlog[0] + backlog[1]), 'not sent yet'),
    line('pieces in stock', count(numbers.stock)),
    '',
    line('POST /orders, p50', duration(load.recentMs.p50), `p99 ${duration(load.recentMs.p99)}`),
    ...failures(numbers, paint),
    ...cpuLines(numbers, width).map(
      (text, index) => `  ${(index === 0 ? 'CPU, cores' : '').padEnd(LABEL)}  ${paint.dim(text)}`,
    ),
  ];
  return lines.map((text) => fit(text, width));
}

/** For a log or a pipe: the same on one line. */
export function liveLine({ numbers }: LiveFrame): string {
  const { load, backlog } = numbers;
  const parts = [
    `${(load.elapsedMs / 1000).toFixed(1).padStart(5)} s`,
    `placed ${count(load.ok)}`,
    `fast path ${count(numbers.sentByFastPath)}`,
    `relay ${count(numbers.sentByRelay)}`,
    `deducted ${count(numbers.deducted)}`,
    `confirmed ${count(numbers.confirmed)}`,
    `backlog ${count(backlog[0] + backlog[1])}`,
    `POST p50 ${duration(load.recentMs.p50)} p99 ${duration(load.recentMs.p99)}`,
    `CPU ${cores(totalOf(numbers.cores))} cores`,
  ];
  return parts.join('  ');
}

function bar(part: number, paint: Paint): string {
  const full = Math.round(Math.min(1, part) * BAR);
  return `${paint.green('━'.repeat(full))}${paint.dim('─'.repeat(BAR - full))}`;
}

const seconds = (elapsedMs: number, totalSeconds: number): string =>
  `${Math.min(elapsedMs / 1000, totalSeconds).toFixed(1)} of ${String(totalSeconds)} s`;

function failures({ load: { fail, info } }: LiveNumbers, paint: Paint): string[] {
  if (fail + info === 0) return [];
  return [
    `  ${'not acknowledged'.padEnd(LABEL)}${paint.yellow(count(fail + info).padStart(NUMBER))}  ${paint.dim(`${count(fail)} failed, ${count(info)} unknown`)}`,
  ];
}

function cpuLines(numbers: LiveNumbers, width: number): string[] {
  if (numbers.cores.size === 0) return [];
  const parts = [...numbers.cores].map(([name, used]) => `${name.replaceAll(' ', '\u00a0')}\u00a0${cores(used)}`);
  return wrap(
    [`${cores(totalOf(numbers.cores))}\u00a0in\u00a0all:`, ...parts].join(' '),
    Math.max(20, width - LABEL - 4),
  );
}

const totalOf = (used: ReadonlyMap<string, number>): number =>
  [...used.values()].reduce((sum, value) => sum + value, 0);
