import { noSuch } from '../near-names.js';
import { CONSUMING } from './registry/consuming.js';
import { OVER_HTTP } from './registry/over-http.js';
import { PRODUCING } from './registry/producing.js';
import type { Sabotage } from './registry/sabotage.js';

/** One planted bug for every mechanism, in the order in which a message meets them. */
export const SABOTAGES: readonly Sabotage[] = [...PRODUCING, ...OVER_HTTP, ...CONSUMING];

export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find((sabotage) => sabotage.name === name);
  if (found !== undefined) return found;
  throw noSuch(
    'sabotage',
    name,
    SABOTAGES.map((one) => one.name),
  );
}
