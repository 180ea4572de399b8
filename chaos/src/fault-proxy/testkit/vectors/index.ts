import { DATA_PATH } from './data-path.js';
import { LATENCY } from './latency.js';
import { LIMIT_DATA } from './limit-data.js';
import { POPULATE, PROXY_LIFE } from './proxy-life.js';
import { PROXY_ROUTES } from './proxy-routes.js';
import { RATES_AND_CLOSES } from './rates-and-closes.js';
import { RESET_PEER } from './reset-peer.js';
import { CHANCE_AND_COUNTS, SLICER } from './slicing-and-chance.js';
import { TIMEOUT } from './timeout.js';
import { TOXIC_ROUTES } from './toxic-routes.js';
import type { Vector } from './vector.js';

export const ALL_VECTORS: readonly Vector[] = [
  ...PROXY_ROUTES,
  ...PROXY_LIFE,
  ...POPULATE,
  ...TOXIC_ROUTES,
  ...DATA_PATH,
  ...LATENCY,
  ...RATES_AND_CLOSES,
  ...TIMEOUT,
  ...RESET_PEER,
  ...LIMIT_DATA,
  ...SLICER,
  ...CHANCE_AND_COUNTS,
];
