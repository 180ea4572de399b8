import { parseArgs } from 'node:util';

import { readBackend, type BackendName } from '@counterfoil/stack';

import { refuseContradictions } from './contradictions.js';

export interface ChaosFlags {
  /** A scenario's name, all, or regressions. Null: the sabotage's own, else baseline. */
  readonly scenario: string | null;
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly seed: number;
  readonly sabotage: string | null;
  /** Null: as the scenario says. */
  readonly queueType: QueueType | null;
  /** Replays this plan instead of making one. */
  readonly planFile: string | null;
  readonly jsonFile: string | null;
  /** How often a run that cannot tell is made again. */
  readonly again: number;
  /** Folder of an invalid run whose fault schedule is to be made smaller. */
  readonly shrink: string | null;
  readonly shrinkRuns: number;
  /** Where the servers run; null: natively where their programs are, else in containers. */
  readonly backend: BackendName | null;
  /** Folder of a run that is to be judged again from what it kept, and its report made again. */
  readonly report: string | null;
  readonly list: boolean;
}

export type QueueType = 'quorum' | 'classic';

export const USAGE = `Usage: npm run chaos -- [options]

Breaks the running system under load, and proves from the books that no order was lost and none deducted twice.

  --list            the scenarios, a sentence each
  --scenario NAME   one of them, all, or regressions: the plans in chaos/regressions (the sabotage's own, else baseline)
  --rate N          orders a second (1000)
  --seconds N       of load after the warm-up; a scenario adds its own fault times (30)
  --warm-up N       seconds of load that count for the books only (10)
  --seed N          decides the plan (random)
  --plan FILE       replays the plan.json of an earlier run, as it is
  --sabotage NAME   plants a bug in the services, which must then be found; npm run prove -- --list names them
  --queue-type T    quorum or classic: the queues of the services (quorum)
  --stack NAME      native: this machine's own servers; containers: the images that DB_IMAGE, BROKER_IMAGE and TOXIPROXY_IMAGE name
                    (native if it can be)
  --json FILE       writes the verdict there as well; of several runs, the worst
  --again N         makes a run that cannot tell again, at most so often, with the same plan; the last verdict counts (0)
  --shrink FOLDER   replays an invalid run with parts of its faults left out; keeps the smallest plan that still fails
  --shrink-runs N   at most (20)
  --report FOLDER   judges a run again from what it kept, and makes its report again; nothing is started

Each run leaves plan, history, logs, verdict and report under runs/. Ends with 0 when the run is valid, 1 when it is not, 2 when
it cannot tell.`;

const OPTIONS = {
  scenario: { type: 'string' },
  rate: { type: 'string', default: '1000' },
  seconds: { type: 'string', default: '30' },
  'warm-up': { type: 'string', default: '10' },
  seed: { type: 'string' },
  sabotage: { type: 'string' },
  'queue-type': { type: 'string' },
  plan: { type: 'string' },
  json: { type: 'string' },
  again: { type: 'string', default: '0' },
  shrink: { type: 'string' },
  'shrink-runs': { type: 'string', default: '20' },
  stack: { type: 'string' },
  report: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error that says which flag is wrong, or which two do not go together; null when help is asked for */
export function readFlags(args: readonly string[], randomSeed: number): ChaosFlags | null {
  const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, tokens: true });
  if (values.help) return null;
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  refuseContradictions(given, values.scenario);
  return {
    scenario: values.scenario ?? null,
    rate: wholeNumber('--rate', values.rate, 1, 100_000),
    seconds: wholeNumber('--seconds', values.seconds, 1, 86_400),
    warmUpSeconds: wholeNumber('--warm-up', values['warm-up'], 0, 600),
    seed: wholeNumber('--seed', values.seed ?? String(randomSeed), 0, 2 ** 32 - 1),
    sabotage: values.sabotage ?? null,
    queueType: queueType(values['queue-type']),
    planFile: values.plan ?? null,
    jsonFile: values.json ?? null,
    again: wholeNumber('--again', values.again, 0, 100),
    shrink: values.shrink ?? null,
    shrinkRuns: wholeNumber('--shrink-runs', values['shrink-runs'], 1, 1_000),
    backend: readBackend(values.stack) ?? null,
    report: values.report ?? null,
    list: values.list,
  };
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${flag} must be a whole number from ${String(min)} to ${String(max)}, not '${text}'`);
}

function queueType(text: string | undefined): QueueType | null {
  if (text === undefined || text === 'quorum' || text === 'classic') return text ?? null;
  throw new Error(`--queue-type must be quorum or classic, not '${text}'`);
}
