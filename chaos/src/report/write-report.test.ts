import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunFacts } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { flip, withBooks, withEnd } from '../testkit/mutate.js';
import { judge } from '../verdict.js';
import { junitXml } from './junit.js';
import { reportOf, type Report } from './report.js';
import { stepSummary } from './step-summary.js';
import { writeReport } from './write-report.js';

const report = (facts: RunFacts, folder = 'runs/x'): Report => reportOf(facts, judge(facts), [], folder);
const broken = withBooks(aRun(), ({ orders }) => ({ orders: flip(orders, 8, { status: 'CREATED' }) }));
const unread = withEnd(aRun({ notJudged: { I9: 'one | relay' } }), { unread: ['tap: <gone>'] });

describe('JUnit XML', () => {
  it('when a run is valid, then there is a case for each invariant and one for the verdict, all green', () => {
    const xml = junitXml(report(aRun()));
    expect(xml).toContain('tests="18" failures="0" errors="0" skipped="0"');
    expect(xml.match(/<testcase /g)).toHaveLength(18);
    expect(xml).toContain('name="I1 every acknowledged order is in the books"');
  });

  it('when an invariant is broken, then it fails, and the verdict with it', () => {
    const xml = junitXml(report(broken));
    expect(xml).toContain('<failure message="1 × order 1008 is CREATED;');
    expect(xml).toContain('<failure message="invalid: I7: ');
  });

  it('when something cannot be told or is not judged, then it is an error or skipped, and never green', () => {
    const xml = junitXml(report(unread));
    expect(xml).toContain('<error message="not read: tap: &lt;gone&gt;">');
    expect(xml).toContain('<skipped message="one | relay"/>');
    expect(xml).toContain('<error message="unknown: ');
  });
});

describe('the step summary', () => {
  it('when it is read on GitHub, then the verdict, its reasons and the way to replay it are there', () => {
    const text = stepSummary(report(broken));
    expect(text).toMatch(/^## ✗ relay-kill: invalid/);
    expect(text).toContain('- I8: 1 × order 1008 is CREATED');
    expect(text).toContain('npm run chaos -- --plan runs/x/plan.json');
  });

  it('when a text has signs of Markdown or HTML, then they stay text', () => {
    const text = stepSummary(report(unread));
    expect(text).toContain('not judged: one &#124; relay |');
    expect(text).not.toContain('<gone>');
  });
});

describe('writing the report', () => {
  it('when runs follow one another, then each has its files and all are in the summary of the step', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const collected = join(folder, 'step.md');
    writeFileSync(collected, 'before\n');
    const page = await writeReport(report(aRun(), folder), collected);
    await writeReport(report(broken, folder), collected);
    expect(readFileSync(page, 'utf8')).toContain('</html>');
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('</testsuites>');
    expect(readFileSync(collected, 'utf8')).toMatch(/^before\n## ✓ [^]*\n## ✗ /);
    rmSync(folder, { recursive: true });
  });
});
