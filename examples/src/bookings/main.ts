import { runMain } from '@counterfoil/message-table';

import { bookingsService } from './bookings-service.js';

void runMain(bookingsService, process);
