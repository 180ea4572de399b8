import type { RunFacts } from '../../facts.js';
import { aRun } from '../../testkit/facts-builder.js';
import { flip, withBooks, withHistory } from '../../testkit/mutate.js';
import { judge } from '../../verdict.js';
import { reportOf } from '../report.js';
import { reportPage } from './page.js';

const page = (facts: RunFacts, notes: readonly string[] = []): string =>
  reportPage(reportOf(facts, judge(facts), notes, 'runs/x'));

const EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>';

describe('the page of a run', () => {
  it('when a run is valid, then it says so, with its charts, faults and how to run it again', () => {
    const text = page(aRun());
    for (const part of [
      '✓ valid',
      'npm run chaos -- --plan runs/x/plan.json',
      ...['Latency', 'Answers', 'Backlog', 'Queue depth', 'Sent'].map((title) => `<b>${title}</b>`),
      'f1 kill relay-1',
      'exits 1, down 500 ms',
      '● required',
    ])
      expect(text).toContain(part);
    expect(text).toContain('<p class="soft">None.</p>');
  });

  it('when a run is invalid, then the reasons come first and each anomaly has its life', () => {
    const { orders } = aRun().books;
    const text = page(withBooks(aRun(), () => ({ orders: flip(orders, 8, { status: 'CREATED' }) })));
    expect(text.indexOf('I8: 1 × order 1008 is CREATED')).toBeLessThan(text.indexOf('<figure>'));
    expect(text).toContain('<summary><b>order 1008</b>');
    expect(text).toContain('deduction m8: SENT');
  });

  it('when a run brings up markup, then none of it gets into the page', () => {
    const { orderMessages } = aRun().books;
    const facts = withBooks(aRun({ scenario: EVIL, notJudged: { [EVIL]: EVIL } }), () => ({
      orderMessages: flip(orderMessages, 3, { status: 'FAILED', errorMsg: EVIL }),
    }));
    const logs = [{ process: EVIL, line: EVIL, why: 'forbidden' as const }];
    const text = page({ ...facts, logs }, [EVIL]);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/<(script|img)/i);
  });

  it('when it is opened, then it needs no script and nothing from elsewhere', () => {
    expect(page(aRun())).not.toMatch(/<script|<link|src=|href=|url\(|@import/i);
  });

  it('when nothing was broken, measured or met, then it says so', () => {
    const quiet = withHistory(aRun({ faults: [], requiredCells: [] }), (record) =>
      record.kind === 'order' || record.kind === 'phase' ? record : null,
    );
    const text = page({ ...quiet, samples: [] });
    expect(text).toContain('None: nothing was broken in this run');
    expect(text).toContain('Empty: no process reported a step');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });
});
