import { noSuch } from '../near-names.js';
import { CONSUMING } from './registry/consuming.js';
import { PRODUCING } from './registry/producing.js';
import type { Sabotage } from './registry/sabotage.js';

/** One planted bug for every mechanism, in the order in which a message meets them. */
export const SABOTAGES: readonly Sabotage[] = [...PRODUCING, ...CONSUMING];

export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find((sabotage) => sabotage.name === name);
  if (found !== undefined) return found;
  throw noSuch(
    'sabotage',
    name,
    SABOTAGES.map((one) => one.name),
  );
}
