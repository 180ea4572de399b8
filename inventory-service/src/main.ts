import { runMain } from '@counterfoil/message-table';

import { inventoryService } from './inventory-service.js';

void runMain(inventoryService, process);
