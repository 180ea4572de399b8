import { join } from 'node:path';

import type { Plan } from '../plan.js';
import { sabotageNamed } from './all.js';
import { QUEUE_TYPE } from './preloads/classic-setting.js';
import { KILLER } from './preloads/killer-setting.js';

const preload = (name: string): string => join(__dirname, 'preloads', `${name}.js`);

/** What every process of a run loads before its own code: what the scenario needs, and the planted bug. */
export const preloadsOf = ({ sabotage, world: { settings } }: Plan): string[] => [
  ...(settings[QUEUE_TYPE] === 'classic' ? [preload('classic-queues')] : []),
  ...(KILLER in settings ? [preload('killer')] : []),
  ...(sabotage === null ? [] : [join(__dirname, `${sabotageNamed(sabotage).name}.js`)]),
];
