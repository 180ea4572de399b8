import { EXIT_CODES, type Played } from '@counterfoil/chaos';

import { wrap, type Paint } from './paint.js';

/** These judge how fast it was. All others are about the books. */
const ABOUT_SPEED = new Set(['I9', 'I15']);

/** What the books say comes first, also when the run as a whole cannot tell. */
export function verdictLines({ verdict, report }: Pick<Played, 'verdict' | 'report'>, paint: Paint): string[] {
  return [
    ...sentence(verdict, paint),
    '',
    `  ${'report'.padEnd(12)}${'page' in report ? report.page : `could not be written: ${report.error}`}`,
    `  ${'break more'.padEnd(12)}npm run chaos -- --list`,
  ];
}

function sentence(verdict: Played['verdict'], paint: Paint): string[] {
  switch (verdict.verdict) {
    case 'valid':
      return [paint.green(paint.bold(HOLD))];
    case 'invalid':
      return [paint.red(paint.bold('The books do not hold:')), ...reasonLines(verdict, paint.red('✗'))];
    case 'unknown':
      return [...unknown(verdict, paint), ...reasonLines(verdict, paint.yellow('?'))];
  }
}

const HOLD = 'The books hold: no order was lost, none was deducted twice.';

function unknown({ invariants }: Played['verdict'], paint: Paint): string[] {
  const code = `(exit code ${String(EXIT_CODES.unknown)})`;
  const unread = invariants.some(({ id, holds }) => holds === null && !ABOUT_SPEED.has(id));
  if (unread) return [paint.yellow(paint.bold(`Nobody can tell whether the books hold ${code}:`))];
  return [
    paint.green(paint.bold(HOLD)),
    ...wrap(`Only, this run was not a fair one in every respect ${code}; on an idle machine, try again:`, 78),
  ];
}

const reasonLines = ({ reasons }: Played['verdict'], mark: string): string[] =>
  reasons.flatMap((reason) => wrap(reason, 72).map((line, index) => `  ${index === 0 ? mark : ' '} ${line}`));
