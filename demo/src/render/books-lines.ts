import { countsOf, titleOf, type Invariant, type Played } from '@counterfoil/chaos';

import { cpuUse } from '../books/cpu.js';
import { promises, type Promised } from '../books/promises.js';
import { cores, count, duration } from './format.js';
import { flow, wrap, type Paint } from './paint.js';

const WHAT = 40;
const FOUND = 14;

type Judged = Pick<Played, 'facts' | 'verdict'>;

/** What was promised and what was found: first in plain words, then the invariants, then what it cost. */
export function booksLines({ facts, verdict }: Judged, width: number, paint: Paint): string[] {
  return [
    paint.bold('The books') + paint.dim(', counted by witnesses that do not ask the services'),
    '',
    ...promises(facts, countsOf(facts)).map((line) => promiseLine(line, paint)),
    '',
    ...verdict.invariants.flatMap((invariant) => invariantLines(invariant, width, paint)),
    ...Object.entries(verdict.notJudged).flatMap(([id, why]) =>
      wrapped(`${id.padEnd(4)}not judged here: ${why}`, width - 8).map((line, index) =>
        paint.dim(index === 0 ? `  – ${line}` : `        ${line}`),
      ),
    ),
    '',
    ...measuredLines(facts, width, paint),
  ];
}

function promiseLine({ what, found, holds }: Promised, paint: Paint): string {
  const text = found === null ? '?' : typeof found === 'string' ? found : count(found);
  const colour = holds === null ? paint.yellow : holds ? paint.bold : paint.red;
  return `  ${what.padEnd(WHAT)}${colour(text.padStart(FOUND))}`;
}

function invariantLines({ id, holds, detail }: Invariant, width: number, paint: Paint): string[] {
  const mark = holds === null ? paint.yellow('?') : holds ? paint.green('✓') : paint.red('✗');
  const line = `  ${mark} ${paint.dim(id.padEnd(4))}${titleOf(id)}`;
  return holds === true ? [line] : [line, ...wrapped(detail, width - 8).map((text) => `        ${paint.yellow(text)}`)];
}

const wrapped = (text: string, width: number): string[] => wrap(text, Math.max(20, width));

const LABEL = 18;

function measuredLines(facts: Judged['facts'], width: number, paint: Paint): string[] {
  const { load } = facts;
  const cpu = cpuUse(facts);
  const line = (label: string, text: string): string => `  ${label.padEnd(LABEL)}${text}`;
  const { p50, p99, max } = load.latencyMs;
  const used = cpu?.processes.map(([name, part]) => `${name} ${cores(part)}`) ?? [];
  return [
    line('load', `${count(load.rate)} orders a second`),
    line('answered within', `p50 ${duration(p50)}   p99 ${duration(p99)}   longest ${duration(max)}`),
    ...(cpu === null ? [] : [line('cores used', `${cores(cpu.inAll)} in all, by others ${cores(cpu.others)}`)]),
    ...flow(used, '   ', width - LABEL - 3).map((text) => line('', paint.dim(text))),
  ];
}
