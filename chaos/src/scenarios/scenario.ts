import type { Expected, Link, LoadPlan, Plan, PlannedFault, WorldPlan } from '../plan.js';
import type { Random } from './random.js';

/** One story: what is broken, when, and what must still hold. */
export interface Scenario {
  readonly name: string;
  /** For `--list`, one sentence. */
  readonly story: string;
  /** Part of the set that CI runs. */
  readonly inCi: boolean;
  plan(options: ScenarioOptions, random: Random): ScenarioPlan;
}

export interface ScenarioOptions {
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** What a scenario decides; the rest of a plan has defaults. */
export interface ScenarioPlan {
  readonly faults: readonly PlannedFault[];
  /** Orders a second, where the machine would be measured with more; fewer are always possible. */
  readonly rateAtMost?: number;
  readonly load?: Partial<LoadPlan>;
  readonly world?: Partial<Omit<WorldPlan, 'settings'>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly requiredCells?: readonly string[];
  readonly notJudged?: Readonly<Record<string, string>>;
  /** I9 wants a calm stretch of some seconds, which most faults do not leave. */
  readonly judgesThroughput?: boolean;
  readonly expected?: Partial<Expected>;
}

/** Leases and times are short, so that a scenario ends within its budget; `soak` also runs with the defaults. */
const SHORT_TIMES = {
  SENDING_LEASE_MS: '5000',
  ATTEMPT_TIMEOUT_MS: '2000',
  RETRY_BASE_MS: '200',
  RETRYING_LEASE_MS: '5000',
  AMQP_HEARTBEAT_S: '2',
  AMQP_DEADLINE_MS: '3000',
  DB_DEADLINE_MS: '4000',
  RELAY_POLL_MS: '200',
};

/** For relays that work off what has waited: at more, of two cores too little is left for the orders that come meanwhile. */
export const GENTLE_CATCH_UP = { RELAY_RATE: '250', RELAY_BATCH: '100' };

export const WARM_UP_SECONDS = 10;

export interface PlanOptions extends ScenarioOptions {
  readonly seed: number;
  readonly sabotage: string | null;
}

const NO_LINKS: readonly Link[] = [];

/** The same scenario, options and seed make the same plan, byte by byte. */
export function makePlan(scenario: Scenario, options: PlanOptions, random: Random): Plan {
  const { rate, seconds, seed, sabotage, warmUpSeconds } = options;
  const story = scenario.plan({ rate, seconds, warmUpSeconds }, random);
  return {
    scenario: scenario.name,
    seed,
    sabotage,
    load: {
      rate: Math.min(rate, story.rateAtMost ?? rate),
      ...{ warmUpSeconds, seconds, retries: 2, workload: 'powers' },
      ...story.load,
    },
    world: {
      orderServices: 1,
      inventoryServices: 1,
      relays: 2,
      inventoryRelays: 1,
      links: NO_LINKS,
      tap: true,
      ...story.world,
      settings: { ...SHORT_TIMES, ...story.settings },
    },
    // Faults are planned from the end of the warm-up; the clock of a plan starts with the load.
    faults: story.faults.map((fault) => ({ ...fault, atMs: fault.atMs + warmUpSeconds * 1000 })),
    requiredCells: story.requiredCells ?? [],
    notJudged: { ...throughputJudged(story), ...story.notJudged },
    expected: { plannedLoss: false, duplicatesAtMost: null, ...story.expected },
  };
}

const throughputJudged = ({ faults, judgesThroughput = faults.length === 0 }: ScenarioPlan): Record<string, string> =>
  judgesThroughput ? {} : { I9: 'the faults leave no calm stretch to measure' };

/** `f1`, `f2`, … for faults at their times. */
export const numbered = (faults: readonly Omit<PlannedFault, 'id'>[]): PlannedFault[] =>
  faults.map((fault, index) => ({ id: `f${String(index + 1)}`, ...fault }));
