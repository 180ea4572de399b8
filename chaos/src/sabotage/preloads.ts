import { join } from 'node:path';

import type { Plan } from '../plan.js';
import { QUEUE_TYPE } from '../scenarios/preloads/classic-setting.js';
import { KILLER } from '../scenarios/preloads/killer-setting.js';
import { sabotageNamed } from './all.js';

const ours = (name: string): string => join(__dirname, '..', 'scenarios', 'preloads', `${name}.js`);

/** What every process of a run loads before its own code: what the scenario needs, and the planted bug. */
export const preloadsOf = ({ sabotage, world: { settings } }: Plan): string[] => [
  ...(settings[QUEUE_TYPE] === 'classic' ? [ours('classic-queues')] : []),
  ...(KILLER in settings ? [ours('killer')] : []),
  ...(sabotage === null ? [] : [join(__dirname, `${sabotageNamed(sabotage).name}.js`)]),
];
