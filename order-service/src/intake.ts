import { Turns } from '@counterfoil/message-table';

import type { OrderRequest } from './order.js';
import { notAccepted, type Placed } from './placed.js';

export type Intake = Turns<OrderRequest, Placed>;

/** How long a request waits for its turn at most; its client would give up soon after. */
const TURN_WAIT_MS = 2_000;

/** Requests that come together are placed in one transaction. */
export const createIntake = (place: (requests: readonly OrderRequest[]) => Promise<readonly Placed[]>): Intake =>
  new Turns({ maxItems: 100, maxWaitMs: 4, maxRuns: 4, turnWaitMs: TURN_WAIT_MS, refusal: notAccepted, run: place });
