import { join } from 'node:path';

export { askedOrders, type AskedOrders, type WorkloadKind } from './asked-orders.js';
export { measureConfirmation } from './confirmation.js';
export { Generator, type GeneratorOptions, type LoadSummary, type Phase, type Progress } from './generator.js';
export type { LatencySummary } from './latencies.js';
export type { Outcome } from './outcome.js';
export { insertProducts } from './products.js';
export { readDeductions, type Deductions, type OddProduct } from './read-deductions.js';
export { indexOfKey, keyOf, plannedOrders, type LoadLine, type LoadSettings } from './settings.js';
export { createWorkload, INITIAL_STOCK, ORDERS_PER_PRODUCT, type Workload } from './workload.js';

/** Run it as a process of its own, with a {@link LoadSettings} as JSON. */
export const LOAD_MAIN = join(__dirname, 'main.js');
