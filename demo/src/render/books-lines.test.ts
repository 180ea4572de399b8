import { stripVTControlCharacters } from 'node:util';

import { judge } from '@counterfoil/chaos';
import { aRun, flip, withBooks, withEnd } from '@counterfoil/chaos/testkit';

import { booksLines } from './books-lines.js';
import { createPaint } from './paint.js';
import { verdictLines } from './verdict-lines.js';

const PLAIN = createPaint(false);
const REPORT = { page: 'runs/x/report.html' };

const ending = (facts: ReturnType<typeof aRun>): string =>
  verdictLines({ verdict: judge(facts), report: REPORT }, 80, PLAIN).join('\n');

describe('the books at the end', () => {
  it('when an invariant does not hold, then it is said what was found, and of the others only that they hold', () => {
    const broken = withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 8, { status: 'CREATED' }) }));
    const lines = booksLines({ facts: broken, verdict: judge(broken) }, 80, PLAIN);
    expect(lines).toContain('  ✓ I1  every acknowledged order is in the books');
    const at = lines.indexOf('  ✗ I7  note, effect and decision agree');
    expect(lines[at + 1]).toMatch(/^ {8}1 × order 1008/);
  });

  it('when the terminal has 60 columns, then every line of the table fits', () => {
    const facts = aRun();
    for (const line of booksLines({ facts, verdict: judge(facts) }, 60, createPaint(true)))
      expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(67);
  });
});

describe('the verdict', () => {
  it('when the run is valid, then the books hold, and the report is named', () => {
    expect(ending(aRun())).toBe(
      [
        'The books hold: no order was lost, none was deducted twice.',
        '',
        '  report      runs/x/report.html',
        '  break more  npm run chaos -- --list',
      ].join('\n'),
    );
  });

  it('when it is invalid, then the reasons follow', () => {
    const broken = withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 8, { status: 'CREATED' }) }));
    expect(ending(broken)).toMatch(/^The books do not hold:\n {2}✗ I7: /);
  });

  it('when only the speed or the fairness of the run is in doubt, then what the books say comes first', () => {
    const slow = withEnd(aRun(), { settledAfterMs: 900_000 });
    expect(ending(slow)).toMatch(/^The books hold: .*\nBut this run cannot tell everything \(exit code 2\)/);
    expect(ending(slow)).toContain('? I15: ');
  });

  it('when a part of the books was not read, then nobody says that they hold', () => {
    const unread = withEnd(aRun(), { unread: ['orders: ECONNREFUSED'] });
    expect(ending(unread)).toMatch(/^Nobody can tell whether the books hold \(exit code 2\):/);
  });
});
