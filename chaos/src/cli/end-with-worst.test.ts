import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { aRun } from '../testkit/facts-builder.js';
import type { Verdict } from '../verdict.js';
import { endWithWorst } from './end-with-worst.js';
import { readFlags, type ChaosFlags } from './flags.js';
import { runPlan } from './run-scenario.js';

let folder: string;
let file: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'json-'));
  file = join(folder, 'v.json');
  lines = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const print = { ownPid: 0, stepSummaryFile: null, show: () => undefined, say: (text: string) => void lines.push(text) };
const held = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
const ended = (...verdicts: Verdict['verdict'][]) =>
  verdicts.map((verdict, index) => ({ verdict, json: JSON.stringify({ verdict, index }) }));

describe('--json', () => {
  it.each<[number, object, Verdict['verdict'][]]>([
    [0, { verdict: 'valid', index: 0 }, ['valid']],
    [1, { verdict: 'invalid', index: 1 }, ['valid', 'invalid', 'unknown', 'valid']],
    [2, { verdict: 'unknown', index: 0 }, ['unknown', 'valid', 'unknown']],
    [0, { verdict: 'valid', reasons: [] }, []],
  ])('when it ends with %d, then the file says so: %j', async (code, says, verdicts) => {
    expect(await endWithWorst(file, print, async () => ended(...verdicts))).toBe(code);
    expect(held()).toMatchObject(says);
  });

  it('when an earlier file is there and the work breaks, then the file says what the exit code says', async () => {
    writeFileSync(file, '{"verdict":"valid"}');
    const breaks = async (): Promise<never> => {
      expect(held()).toMatchObject({ verdict: 'unknown', reasons: ['it has not come to its end'] });
      throw new Error('broken');
    };
    await expect(endWithWorst(file, print, breaks)).rejects.toThrow('broken');
    expect(held()).toMatchObject({ verdict: 'unknown' });
  });

  it('when the file cannot be written, then nothing is started', async () => {
    const work = jest.fn();
    await expect(endWithWorst(join(folder, 'out', 'v.json'), print, work)).rejects.toThrow('--json cannot be written');
    expect(work).not.toHaveBeenCalled();
  });

  it('when it cannot be written any more in the end, then the verdict stands', async () => {
    const work = async () => {
      rmSync(folder, { recursive: true });
      return ended('invalid');
    };
    expect(await endWithWorst(file, print, work)).toBe(1);
    expect(lines).toEqual([expect.stringContaining(`the verdict could not be written to ${file}: Error: ENOENT`)]);
  });

  it('when a plan did not run, then that has a file as well', async () => {
    const plan = { ...aRun().plan, sabotage: 'no-such' };
    const told = await runPlan(plan, readFlags([], 1) as ChaosFlags, print);
    expect(JSON.parse(told.json)).toEqual({
      ...{ verdict: 'unknown', reasons: [expect.stringContaining("it did not run: There is no sabotage 'no-such'")] },
      ...{ invariants: [], notJudged: {}, scenario: 'relay-kill', seed: 7, sabotage: 'no-such' },
    });
  });
});
