import { QUEUE_TYPE } from '../sabotage/preloads/classic-setting.js';
import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

/** The consumer is halted, so that messages lie in the queue when the broker goes. */
export const classicBrokerKill: Scenario = {
  name: 'classic-broker-kill',
  story: 'On classic queues the broker is killed with messages waiting in it: what it confirmed is there again.',
  inCi: false,
  plan: () => ({
    settings: { ...GENTLE_CATCH_UP, [QUEUE_TYPE]: 'classic' },
    faults: numbered([
      { atMs: 1_500, fault: { kind: 'pause', target: 'inventory-service-1', forMs: 4_000 } },
      { atMs: 3_500, fault: { kind: 'kill', target: 'broker', backAfterMs: 500 } },
    ]),
  }),
};
