import { arrivalsOf, ORDERS_PER_PRODUCT } from '@counterfoil/loadtest';

import { KILLER, type Killer } from '../sabotage/preloads/killer-setting.js';
import { numbered, type Scenario, type ScenarioOptions } from './scenario.js';

/** Half of the products meet fifteen orders in a row: the product whose turn it is after so many orders. */
const killerAfter = (orders: number): Killer => ({
  productId: 1 + Math.floor(orders / (2 * ORDERS_PER_PRODUCT)),
  quantity: 4 ** 7,
});

const ordersBefore = (seconds: number, load: ScenarioOptions): number =>
  arrivalsOf(load).countBefore(load.warmUpSeconds + seconds);

/** Short leases, because the killer uses up five of them. */
const SHORT_LEASES = { SENDING_LEASE_MS: '1500', ATTEMPT_TIMEOUT_MS: '500', RELAY_BATCH: '100', RELAY_RATE: '500' };

/** The relays are halted first, so that the killer is claimed together with many others. */
export const killerMessage: Scenario = {
  name: 'killer-message',
  story:
    'One message kills every relay that sends it: it is given up after five leases, and nobody who was claimed with it pays.',
  inCi: false,
  plan: (load) => ({
    settings: { FAST_PATH: 'off', ...SHORT_LEASES, [KILLER]: JSON.stringify(killerAfter(ordersBefore(3.5, load))) },
    faults: numbered([
      { atMs: 2_500, fault: { kind: 'pause', target: 'relay-1', forMs: 2_000 } },
      { atMs: 2_500, fault: { kind: 'pause', target: 'relay-2', forMs: 2_000 } },
      { atMs: 4_600, fault: { kind: 'killer-message', target: 'relay', forMs: 22_000 } },
    ]),
  }),
};
