import { runMain } from '@counterfoil/message-table';

import { relay } from './relay.js';

void runMain(relay, process);
