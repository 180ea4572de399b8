import { SABOTAGES, sabotageNamed, type Sabotage } from '../sabotage/all.js';
import type { ProveFlags } from './flags.js';
import { isAsExpected, matrixLines, type Proof } from './matrix.js';
import { runTrial, type Trial } from './trial.js';

export interface Printer {
  /** A line that stays. */
  say(text: string): void;
  /** What is going on, replaced by the next one. */
  show(text: string): void;
  /** Of this process. */
  readonly ownPid: number;
}

interface Honest {
  readonly scenario: string;
  readonly trial: Trial;
}

/** @returns true when every honest run was valid and every sabotage was caught by whom it should be caught */
export async function prove(flags: ProveFlags, print: Printer): Promise<boolean> {
  const sabotages = flags.only === null ? SABOTAGES : flags.only.map(sabotageNamed);
  const honest = flags.honest ? await runHonest(scenariosOf(sabotages), flags, print) : [];
  const proofs: Proof[] = [];
  for (const sabotage of sabotages) {
    const trial = await once({ scenario: sabotage.scenario, sabotage: sabotage.name }, flags, print);
    const proof = { sabotage, trial };
    proofs.push(proof);
    print.say(`${isAsExpected(proof) ? 'caught  ' : 'SURVIVED'}  ${sabotage.name}: ${says(trial)}`);
  }
  print.say('');
  for (const line of matrixLines(proofs)) print.say(line);
  const survivors = proofs.filter((proof) => !isAsExpected(proof));
  const notValid = honest.filter(({ trial }) => trial.verdict !== 'valid');
  for (const { sabotage, trial } of survivors) print.say(`survived: ${sabotage.name}  ${trial.folder}`);
  for (const { scenario, trial } of notValid) print.say(`honest and not valid: ${scenario}: ${says(trial)}`);
  return survivors.length === 0 && notValid.length === 0;
}

const scenariosOf = (sabotages: readonly Sabotage[]): string[] => [
  ...new Set(sabotages.map(({ scenario }) => scenario)),
];

/** A machine that was busy with something else makes a run unknown: it is given a second chance. */
async function runHonest(scenarios: readonly string[], flags: ProveFlags, print: Printer): Promise<Honest[]> {
  const runs: Honest[] = [];
  for (const scenario of scenarios) {
    let trial = await once({ scenario, sabotage: null }, flags, print);
    if (trial.verdict === 'unknown') {
      print.say(`once more  ${scenario}: ${says(trial)}`);
      trial = await once({ scenario, sabotage: null }, flags, print);
    }
    runs.push({ scenario, trial });
    print.say(`honest    ${scenario}: ${says(trial)}`);
  }
  return runs;
}

const once = (
  what: { readonly scenario: string; readonly sabotage: string | null },
  { seed }: ProveFlags,
  { show, ownPid }: Printer,
): Promise<Trial> =>
  runTrial({
    ...what,
    seed,
    ownPid,
    onProgress: (text) => show(`${what.sabotage ?? 'honest'} ${what.scenario}: ${text}`),
  });

function says({ verdict, reasons, broken, seconds }: Trial): string {
  const by = broken.length === 0 ? '' : ` by ${broken.join(', ')}`;
  const after = seconds === null ? '' : ` after ${seconds.toFixed(0)} s`;
  return [`${verdict}${by}${after}`, ...(verdict === 'valid' ? [] : reasons.slice(0, 6))].join('\n            ');
}
