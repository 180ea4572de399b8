import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readFacts, writeFacts } from './facts-file.js';
import type { PlacedOrder, RunFacts } from './facts.js';
import { reportPage } from './report/page/page.js';
import { reportOf } from './report/report.js';
import { aRun } from './testkit/facts-builder.js';
import { withBooks } from './testkit/mutate.js';
import { verdictJson } from './verdict-file.js';
import { judge } from './verdict.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facts-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** As a run leaves it. */
async function keep(facts: RunFacts, notes: readonly string[]): Promise<void> {
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(facts.plan));
  writeFileSync(join(folder, 'history.jsonl'), facts.history.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await writeFacts(folder, { facts, notes });
}

describe('the facts of a run, kept', () => {
  it('when they are read again, then the verdict and the report are the same, byte by byte', async () => {
    const facts = aRun();
    await keep(facts, ['a note']);
    const again = await readFacts(folder);
    expect(again).toEqual({ facts, notes: ['a note'] });
    expect(verdictJson(again.facts, judge(again.facts))).toBe(verdictJson(facts, judge(facts)));
    const page = (of: RunFacts): string => reportPage(reportOf(of, judge(of), again.notes, folder));
    expect(page(again.facts)).toBe(page(facts));
  });

  it('when a person sent again what was FAILED, then that is kept as well, and the verdict is the same', async () => {
    const run = aRun({ expected: { ...aRun().plan.expected, retriedByHand: true } });
    const http = [307, 200].map((answered) => ({ messageId: 'm1', answered, tookMs: 1 }));
    const byHand = { failed: [{ messageId: 'm1', errorMsg: 'redirected' }], retried: 1 };
    const facts = { ...withBooks(run, () => ({ http })), byHand };
    await keep(facts, []);
    const again = await readFacts(folder);
    expect(again.facts).toEqual(facts);
    expect(verdictJson(again.facts, judge(again.facts))).toBe(verdictJson(facts, judge(facts)));
  });

  it('when a list is longer than a line holds, then it is whole, and a run without a tap has none', async () => {
    const long = withBooks(aRun(), ({ placed }) => ({
      placed: Array.from({ length: 4_001 }, (_, index) => ({ ...(placed[0] as PlacedOrder), index })),
      tap: null,
    }));
    await keep(long, []);
    const { books } = (await readFacts(folder)).facts;
    expect(books.placed).toHaveLength(4_001);
    expect(books.placed.at(-1)).toMatchObject({ index: 4_000 });
    expect([books.tap, books.decisionTap?.size]).toEqual([null, 30]);
  });

  it('when the run never came to its end, then there is nothing to read', async () => {
    await expect(readFacts(folder)).rejects.toThrow('ENOENT');
  });
});
