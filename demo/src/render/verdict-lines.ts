import { EXIT_CODES, type Played } from '@counterfoil/chaos';

import { wrap, type Paint } from './paint.js';

/** These judge how fast it was. All others are about the books. */
const ABOUT_SPEED = new Set(['I9', 'I15']);

/** What the books say comes first, also when the run as a whole cannot tell. */
export function verdictLines(
  { verdict, report }: Pick<Played, 'verdict' | 'report'>,
  width: number,
  paint: Paint,
): string[] {
  return [
    ...sentence(verdict, width, paint),
    '',
    `  ${'report'.padEnd(12)}${'page' in report ? report.page : `could not be written: ${report.error}`}`,
    `  ${'break more'.padEnd(12)}npm run chaos -- --list`,
  ];
}

function sentence(verdict: Played['verdict'], width: number, paint: Paint): string[] {
  switch (verdict.verdict) {
    case 'valid':
      return [paint.green(paint.bold(HOLD))];
    case 'invalid':
      return [paint.red(paint.bold('The books do not hold:')), ...reasonLines(verdict, paint.red('✗'), width)];
    case 'unknown':
      return [...unknown(verdict, width, paint), ...reasonLines(verdict, paint.yellow('?'), width)];
  }
}

const HOLD = 'The books hold: no order was lost, none was deducted twice.';

function unknown({ invariants }: Played['verdict'], width: number, paint: Paint): string[] {
  const code = `(exit code ${String(EXIT_CODES.unknown)})`;
  const unread = invariants.some(({ id, holds }) => holds === null && !ABOUT_SPEED.has(id));
  if (unread) return [paint.yellow(paint.bold(`Nobody can tell whether the books hold ${code}:`))];
  return [
    paint.green(paint.bold(HOLD)),
    ...wrap(`But this run cannot tell everything ${code}; on a machine that does nothing else it can:`, width),
  ];
}

const reasonLines = ({ reasons }: Played['verdict'], mark: string, width: number): string[] =>
  reasons.flatMap((reason) => wrap(reason, width - 4).map((line, index) => `  ${index === 0 ? mark : ' '} ${line}`));
