import type { Sabotage } from '../sabotage/registry/sabotage.js';
import type { Trial } from './trial.js';

export interface Proof {
  readonly sabotage: Sabotage;
  readonly trial: Trial;
}

const INVARIANTS = Array.from({ length: 17 }, (_, index) => `I${String(index + 1)}`);

/** Caught is what was found invalid by every invariant that should find it; what nobody can find must not be found. */
export function isAsExpected({ sabotage: { caughtBy, survives }, trial: { verdict, broken } }: Proof): boolean {
  if (survives !== undefined) return broken.length === 0 && verdict !== 'did not run';
  return verdict === 'invalid' && caughtBy.every((id) => broken.includes(id));
}

/** The kill matrix: ✗ is an invariant that caught the bug and should, x one that caught it as well. */
export function matrixLines(proofs: readonly Proof[]): string[] {
  const width = Math.max(...proofs.map(({ sabotage }) => sabotage.name.length), 8);
  const head = `${''.padEnd(width)}  ${INVARIANTS.map((id) => id.slice(1).padStart(2)).join(' ')}  seconds  scenario`;
  return [head, ...proofs.map((proof) => rowOf(proof, width))];
}

function rowOf(proof: Proof, width: number): string {
  const { sabotage, trial } = proof;
  const marks = INVARIANTS.map((id) => {
    const broken = trial.broken.includes(id);
    return (sabotage.caughtBy.includes(id) ? (broken ? '✗' : '!') : broken ? 'x' : '·').padStart(2);
  });
  const seconds = trial.seconds === null ? '–' : trial.seconds.toFixed(0);
  const ending = isAsExpected(proof)
    ? ''
    : `  ${sabotage.survives === undefined ? 'SURVIVED' : 'WAS FOUND'} (${trial.verdict})`;
  return `${sabotage.name.padEnd(width)}  ${marks.join(' ')}  ${seconds.padStart(7)}  ${sabotage.scenario}${ending}`;
}

/** For `--list`: each planted bug, who must catch it where, and what it takes away. */
export function listLines(sabotages: readonly Sabotage[]): string[] {
  const width = Math.max(...sabotages.map(({ name }) => name.length));
  return sabotages.map(({ name, scenario, caughtBy, breaks }) =>
    [name.padEnd(width), scenario.padEnd(20), caughtBy.join(' ').padEnd(8), breaks].join('  '),
  );
}
