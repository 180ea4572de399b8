import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Step } from '../fail-points/steps.js';
import type { Plan, PlannedFault } from '../plan.js';
import { aRun } from '../testkit/facts-builder.js';
import type { Verdict } from '../verdict.js';
import { readRegressions } from './regressions.js';
import { shrink } from './shrink.js';
import { planWith } from './smaller-plan.js';

const kill = (number: number): PlannedFault => ({
  ...{ id: `f${String(number)}`, atMs: number * 1_000 },
  fault: { kind: 'kill', target: `relay-${String(number)}`, backAfterMs: 500 },
});
const pause: PlannedFault = { id: 'f9', atMs: 9_000, fault: { kind: 'pause', target: 'relay-1', forMs: 500 } };
const crash = (step: Step): PlannedFault => ({
  ...{ id: step, atMs: 500 },
  fault: { kind: 'crash-at', target: 'relay-1', step, backAfterMs: 500 },
});

const verdictOf = (...broken: string[]): Verdict => ({
  verdict: broken.length > 0 ? 'invalid' : 'valid',
  ...{ reasons: [], notJudged: {} },
  invariants: ['I5', 'I6', 'I8'].map((id) => ({ id, holds: !broken.includes(id), detail: '', anomalies: [] })),
});

const plan: Plan = aRun({
  faults: [...[1, 2, 3, 4, 5, 6].map(kill), pause],
  requiredCells: ['a × kill', 'a × pause'],
}).plan;

describe('shrinking a run', () => {
  let folder = '';
  let lines: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shrink-'));
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const shrinkWith = async (of: Plan, broken: readonly string[], judge: (faults: string[]) => Verdict) => {
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(of));
    writeFileSync(join(folder, 'verdict.json'), JSON.stringify(verdictOf(...broken)));
    return shrink({
      ...{ folder, mostRuns: 30, regressionsFolder: join(folder, 'regressions') },
      runPlan: async ({ faults }) => judge(faults.map(({ id }) => id)),
      say: (text) => lines.push(text),
    });
  };

  it('when one fault is to blame, then the plan with it alone is printed and kept', async () => {
    const found = await shrinkWith(plan, ['I5', 'I6'], (ids) => (ids.includes('f4') ? verdictOf('I6') : verdictOf()));
    expect(found).toEqual({ ...plan, faults: [kill(4)], requiredCells: ['a × kill'] });
    expect(lines.join('\n')).toContain('  4.0 s  f4 kill relay-4  back after 500 ms');
    expect(readdirSync(join(folder, 'regressions'))).toEqual(['relay-kill-7-I5-I6.json']);
    expect(await readRegressions(join(folder, 'regressions'))).toEqual([found]);
  });

  it('when a part breaks something else, then it is not the same failure', async () => {
    const other = (ids: string[]): Verdict =>
      ids.includes('f2') && ids.includes('f3') ? verdictOf('I5') : verdictOf('I8');
    expect((await shrinkWith(plan, ['I5'], other))?.faults).toEqual([kill(2), kill(3)]);
  });

  it('when the bug was planted, then its plan stays with the run and is no regression', async () => {
    await shrinkWith({ ...plan, sabotage: 'no-inbox' }, ['I5'], () => verdictOf('I5'));
    expect(readdirSync(folder)).not.toContain('regressions');
    expect(JSON.parse(readFileSync(join(folder, 'shrunk-plan.json'), 'utf8'))).toMatchObject({ faults: [] });
    expect(lines).toContain('  no fault at all');
  });

  it('when the whole plan does not fail again, then nothing is concluded', async () => {
    expect(await shrinkWith(plan, ['I5'], () => verdictOf())).toBeNull();
    expect(readdirSync(folder)).toEqual(['plan.json', 'verdict.json']);
  });

  it('when the run was not invalid, then it says so', async () => {
    await expect(shrinkWith(plan, [], () => verdictOf())).rejects.toThrow('only an invalid run can be shrunk');
  });
});

describe('a plan with fewer faults', () => {
  it('when a kind of fault is gone, then its cells are not asked for; those of another origin still are', () => {
    const cells = ['a × kill', 'a × pause', 'a × crash-at'];
    expect(planWith({ ...plan, requiredCells: cells }, [pause]).requiredCells).toEqual(['a × pause', 'a × crash-at']);
  });

  it('when a crash at a step is gone, then its cell is not asked for, though others of its kind and kills are left', () => {
    const [first, second] = [crash('after-claim-before-publish'), crash('after-confirm-before-settle')];
    const requiredCells = ['after-claim-before-publish × kill', 'after-confirm-before-settle × kill'];
    const whole = { ...plan, faults: [first, second, kill(1)], requiredCells };
    expect(planWith(whole, [second]).requiredCells).toEqual(['after-confirm-before-settle × kill']);
    expect(planWith(whole, [kill(1)]).requiredCells).toEqual([]);
    expect(planWith(whole, whole.faults)).toEqual(whole);
  });
});

describe('regressions', () => {
  it('when there is no folder of them, then there are none', async () => {
    expect(await readRegressions(join(tmpdir(), 'no-such-folder'))).toEqual([]);
  });
});
