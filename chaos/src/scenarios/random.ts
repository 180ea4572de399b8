import { seededRandom } from '@counterfoil/loadtest';

/** Numbers that a seed repeats. */
export interface Random {
  /** From `min` to `max`, both included. */
  integer(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** The same on every machine. */
export function seeded(seed: number): Random {
  const next = seededRandom(seed);
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick: (choices) => {
      const chosen = choices[integer(0, choices.length - 1)];
      if (chosen === undefined) throw new RangeError('There is nothing to pick from');
      return chosen;
    },
  };
}
