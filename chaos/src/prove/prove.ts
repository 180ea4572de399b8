import { SABOTAGES, sabotageNamed } from '../sabotage/all.js';
import type { Sabotage } from '../sabotage/registry/sabotage.js';
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

type Setting = Pick<Sabotage, 'scenario' | 'settings'>;

interface Honest {
  readonly setting: Setting;
  readonly trial: Trial;
}

/** @returns true when every honest run was valid and every sabotage was caught by whom it should be caught */
export async function prove(flags: ProveFlags, print: Printer): Promise<boolean> {
  const sabotages = flags.only === null ? SABOTAGES : flags.only.map(sabotageNamed);
  const honest = flags.honest ? await runHonest(settingsOf(sabotages), flags, print) : [];
  const proofs = await proveAll(sabotages, flags, print);
  print.say('');
  for (const line of matrixLines(proofs)) print.say(line);
  const survivors = proofs.filter((proof) => !isAsExpected(proof));
  const notValid = honest.filter(({ trial }) => trial.verdict !== 'valid');
  for (const { sabotage, trial } of survivors) print.say(`survived: ${sabotage.name}  ${trial.folder}`);
  for (const { setting, trial } of notValid) print.say(`honest and not valid: ${nameOf(setting)}: ${says(trial)}`);
  return survivors.length === 0 && notValid.length === 0;
}

/** Several at a time: what a planted bug breaks is broken on a busy machine as well. What was not caught so is tried once more, alone. */
async function proveAll(sabotages: readonly Sabotage[], flags: ProveFlags, print: Printer): Promise<Proof[]> {
  const proofs = new Map<Sabotage, Proof>();
  const waiting = [...sabotages];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      proofs.set(next, await proveOne(next, flags, print));
    }
  };
  await Promise.all(Array.from({ length: flags.jobs }, work));
  for (const [sabotage, proof] of proofs) {
    if (!isAsExpected(proof)) proofs.set(sabotage, await proveOne(sabotage, flags, print));
  }
  return sabotages.flatMap((sabotage) => proofs.get(sabotage) ?? []);
}

async function proveOne(sabotage: Sabotage, flags: ProveFlags, print: Printer): Promise<Proof> {
  const proof = { sabotage, trial: await once(sabotage, sabotage.name, flags, print) };
  print.say(`${isAsExpected(proof) ? 'caught  ' : 'SURVIVED'}  ${sabotage.name}: ${says(proof.trial)}`);
  return proof;
}

/** Each scenario, with each of the settings that it is run with, once. */
const settingsOf = (sabotages: readonly Sabotage[]): Setting[] => [
  ...new Map(sabotages.map((setting) => [nameOf(setting), setting])).values(),
];

const nameOf = ({ scenario, settings = {} }: Setting): string =>
  [scenario, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join(' ');

/** A machine that was busy with something else makes a run unknown: it is given a second chance. */
async function runHonest(settings: readonly Setting[], flags: ProveFlags, print: Printer): Promise<Honest[]> {
  const runs: Honest[] = [];
  for (const setting of settings) {
    let trial = await once(setting, null, flags, print);
    if (trial.verdict === 'unknown') {
      print.say(`once more  ${nameOf(setting)}: ${says(trial)}`);
      trial = await once(setting, null, flags, print);
    }
    runs.push({ setting, trial });
    print.say(`honest    ${nameOf(setting)}: ${says(trial)}`);
  }
  return runs;
}

const once = (
  { scenario, settings = {} }: Setting,
  sabotage: string | null,
  { seed }: ProveFlags,
  print: Printer,
): Promise<Trial> =>
  runTrial({
    ...{ scenario, sabotage, settings, seed, ownPid: print.ownPid },
    onProgress: (text) => print.show(`${sabotage ?? 'honest'} ${scenario}: ${text}`),
  });

function says({ verdict, reasons, broken, seconds, folder }: Trial): string {
  const by = broken.length === 0 ? '' : ` by ${broken.join(', ')}`;
  const after = seconds === null ? '' : ` after ${seconds.toFixed(0)} s`;
  const why = verdict === 'valid' ? [] : reasons.slice(0, 6);
  return [`${verdict}${by}${after}  ${folder}`, ...why].join('\n            ');
}
