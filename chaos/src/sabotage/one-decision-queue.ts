/** Removes: a decision goes back to the shard that asked. All shards share the queue that there is without them. */
import { DECIDED } from '@counterfoil/contracts';

import { replace } from './replace.js';

replace('contracts/topology', 'decidedRoute', () => () => DECIDED);
