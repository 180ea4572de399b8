import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readPlan } from './read-plan.js';
import { SCENARIOS } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';
import { readRegressions } from '../shrink/regressions.js';
import { aRun } from '../testkit/facts-builder.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
  file = join(folder, 'plan.json');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const { plan } = aRun();
const [killed] = plan.faults;
const withFault = (change: object): object => ({ faults: [{ ...killed, fault: { ...killed?.fault, ...change } }] });

describe('the file of a plan', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'when a run of %s has written it, then it is read as it is',
    async (_name, scenario) => {
      const options = { rate: 200, seconds: 60, warmUpSeconds: 0, seed: 7, sabotage: 'no-inbox' };
      const made = makePlan(scenario, options, seeded(7));
      writeFileSync(file, JSON.stringify(made));
      expect(await readPlan(file)).toEqual(JSON.parse(JSON.stringify(made)));
    },
  );

  it.each<[string, object]>([
    ['load.rate must be a number above 0, not 0', { load: { ...plan.load, rate: 0 } }],
    ['load.seconds must be a number above 0, not -1', { load: { ...plan.load, seconds: -1 } }],
    ['load.workload must be one of powers, hot, sold-out, not "cold"', { load: { ...plan.load, workload: 'cold' } }],
    ['load must be an object', { load: undefined }],
    ['world.settings.RELAY_BATCH must be a text, not 5', { world: { ...plan.world, settings: { RELAY_BATCH: 5 } } }],
    ['world.links[0] must be a text, not null', { world: { ...plan.world, links: [null] } }],
    ['seed must be a whole number', { seed: 'seven' }],
    ['faults must be a list', { faults: {} }],
    ['faults[0].fault.kind must be one of kill, ', withFault({ kind: 'kil' })],
    ['faults[0].fault.kind must be one of kill, ', withFault({ kind: 'constructor' })],
    ['faults[0].fault.backAfterMs must be a number, not less than 0, not null', withFault({ backAfterMs: null })],
    ['faults[0].fault.step must be one of after-', withFault({ kind: 'crash-at', step: 'somewhere' })],
    ['faults[1].id is that of an earlier fault: f1', { faults: [killed, killed] }],
    ['expected.plannedLoss must be true or false', { expected: { ...plan.expected, plannedLoss: 'no' } }],
  ])('when it says what cannot be, then the file and the field are named: %s', async (says, change) => {
    writeFileSync(file, JSON.stringify({ ...plan, ...change }));
    await expect(readPlan(file)).rejects.toThrow(`${file}: ${says}`);
  });

  it.each(['{"scenario": ', 'null', '[]', ''])(
    'when it is no plan at all (%s), then the file is named',
    async (text) => {
      writeFileSync(file, text);
      await expect(readPlan(file)).rejects.toThrow(`${file}: `);
      await expect(readRegressions(folder)).rejects.toThrow(`${file}: `);
    },
  );
});
