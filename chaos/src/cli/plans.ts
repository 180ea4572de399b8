import type { Plan } from '../plan.js';
import { readPlan } from '../plan-file/read-plan.js';
import { sabotageNamed } from '../sabotage/all.js';
import { QUEUE_TYPE } from '../sabotage/preloads/classic-setting.js';
import { SCENARIOS, scenarioNamed } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';
import { readRegressions, REGRESSIONS } from '../shrink/regressions.js';
import type { ChaosFlags } from './flags.js';

type Asked = Pick<
  ChaosFlags,
  'scenario' | 'sabotage' | 'planFile' | 'queueType' | 'rate' | 'seconds' | 'warmUpSeconds' | 'seed'
>;

/**
 * What the flags ask to be run, one after the other.
 * @throws Error that names what is near when a scenario or a sabotage is none: before anything is started
 */
export async function plansFor(flags: Asked): Promise<Plan[]> {
  if (flags.sabotage !== null) sabotageNamed(flags.sabotage);
  const plans = await plansAsked(flags);
  for (const { sabotage } of plans) if (sabotage !== null) sabotageNamed(sabotage);
  return plans;
}

async function plansAsked(flags: Asked): Promise<Plan[]> {
  const { planFile, scenario, sabotage } = flags;
  if (planFile !== null) return [await readPlan(planFile)];
  if (scenario === 'regressions') return readRegressions(REGRESSIONS);
  if (scenario === 'all') return SCENARIOS.map(({ name }) => planOf(flags, name));
  if (scenario !== null) return [planOf(flags, scenario)];
  if (sabotage === null) return [planOf(flags, 'baseline')];
  // Where the bug must be caught, with what it takes for that.
  const { scenario: own, settings = {} } = sabotageNamed(sabotage);
  return [withSettings(planOf(flags, own), settings)];
}

function planOf(flags: Asked, name: string): Plan {
  const plan = makePlan(scenarioNamed(name), flags, seeded(flags.seed));
  return flags.queueType === null ? plan : withSettings(plan, { [QUEUE_TYPE]: flags.queueType });
}

const withSettings = (plan: Plan, settings: Readonly<Record<string, string>>): Plan => ({
  ...plan,
  world: { ...plan.world, settings: { ...plan.world.settings, ...settings } },
});
