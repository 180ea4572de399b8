import type { Plan } from '../plan.js';
import { SCENARIOS } from '../scenarios/all.js';
import { readRegressions, REGRESSIONS } from '../shrink/regressions.js';
import type { ChaosFlags } from './flags.js';
import { planFor } from './run-scenario.js';

/** What the flags ask to be run, one after the other. */
export async function plansFor(flags: ChaosFlags): Promise<Plan[]> {
  if (flags.planFile !== null) return [await planFor(flags, flags.scenario)];
  if (flags.scenario === 'regressions') return readRegressions(REGRESSIONS);
  const names = flags.scenario === 'all' ? SCENARIOS.map(({ name }) => name) : [flags.scenario];
  return Promise.all(names.map((name) => planFor(flags, name)));
}
