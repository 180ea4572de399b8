import { runMain } from '@counterfoil/message-table';

import { orderService } from './order-service.js';

void runMain(orderService, process);
