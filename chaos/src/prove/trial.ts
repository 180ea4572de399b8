import type { RunFacts } from '../facts.js';
import type { Plan } from '../plan.js';
import { makeRunFolder, RUNS, stamp } from '../run/run-folder.js';
import { run } from '../run/run.js';
import { preloadsOf } from '../sabotage/preloads.js';
import { scenarioNamed } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';
import { judge, type Verdict } from '../verdict.js';

export interface TrialOptions {
  readonly scenario: string;
  /** Null: the honest build. */
  readonly sabotage: string | null;
  /** Beyond the scenario's own. */
  readonly settings: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Of this process. */
  readonly ownPid: number;
  readonly onProgress: (text: string) => void;
}

export interface Trial {
  readonly verdict: Verdict['verdict'] | 'did not run';
  readonly reasons: readonly string[];
  /** Invariants that do not hold. */
  readonly broken: readonly string[];
  /** From the start of the load to the verdict; null when there was none. */
  readonly seconds: number | null;
  /** Of this run alone: one that is made again has another. */
  readonly folder: string;
}

const WARM_UP_SECONDS = 1;

interface Size {
  readonly rate: number;
  readonly seconds: number;
}

/** Enough for every fault of a scenario to meet work, and little enough for a busy machine. */
const SIZE: Size = { rate: 200, seconds: 10 };

/** Where more is needed. */
const SIZES: Readonly<Record<string, Size>> = {
  'broker-outage': { rate: 150, seconds: 13 },
  'order-service-kill': { rate: 200, seconds: 14 },
  'http-channel': { rate: 100, seconds: 30 },
  'hot-product': { rate: 200, seconds: 8 },
  // More of the good ones come in one batch with the bad.
  poison: { rate: 400, seconds: 10 },
  'relays-alone': { rate: 300, seconds: 8 },
  // The order service stops once, and at that moment has to hold a message.
  'rolling-restart': { rate: 400, seconds: 10 },
  unroutable: { rate: 400, seconds: 9 },
};

const sizeOf = (scenario: string): Size => SIZES[scenario] ?? SIZE;

/** One run of a scenario, with or without a planted bug. Never rejects: a world that does not start is an outcome. */
export async function runTrial(options: TrialOptions): Promise<Trial> {
  const { scenario, sabotage, ownPid, onProgress } = options;
  const plan = planOf(options);
  let folder = RUNS;
  let booksMs = performance.now();
  try {
    folder = await makeRunFolder(`prove-${stamp()}-${sabotage ?? 'honest'}-${scenario}`);
    const { facts } = await run({
      ...{ plan, folder, preloads: preloadsOf(plan), ownPid },
      onProgress: (text) => {
        booksMs = performance.now();
        onProgress(text);
      },
    });
    const { verdict, reasons, invariants } = judge(facts);
    const broken = invariants.filter(({ holds }) => holds === false).map(({ id }) => id);
    const seconds = (loadedMs(facts) + performance.now() - booksMs) / 1000;
    return { verdict, reasons, broken, seconds, folder };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: 'did not run', reasons: [reason], broken: [], seconds: null, folder };
  }
}

function planOf({ scenario, sabotage, settings, seed }: TrialOptions): Plan {
  const options = { ...sizeOf(scenario), seed, sabotage, warmUpSeconds: WARM_UP_SECONDS };
  const plan = makePlan(scenarioNamed(scenario), options, seeded(seed));
  return { ...plan, world: { ...plan.world, settings: { ...plan.world.settings, ...settings } } };
}

/** From the start of the load until the books are read. */
function loadedMs({ history }: RunFacts): number {
  const at = (phase: string): number =>
    history.find((record) => record.kind === 'phase' && record.name === phase)?.atMs ?? 0;
  return at('books') - at('warm-up');
}
