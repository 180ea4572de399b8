import { QUEUE_TYPE } from '../sabotage/preloads/classic-setting.js';
import { GENTLE_CATCH_UP, numbered, type Scenario } from './scenario.js';

/** The consumer is halted, so that messages lie in the queue when the broker goes. */
export const classicBrokerKill: Scenario = {
  name: 'classic-broker-kill',
  story: 'On classic queues the broker is killed with messages waiting in it: what it confirmed is there again.',
  inCi: false,
  plan: () => ({
    // Four seconds of work and the broker's absence are made up for beside the load: two cores are not enough for 1000 a second.
    rateAtMost: 700,
    settings: { ...GENTLE_CATCH_UP, [QUEUE_TYPE]: 'classic' },
    faults: numbered([
      { atMs: 1_500, fault: { kind: 'pause', target: 'inventory-service-1', forMs: 4_000 } },
      { atMs: 3_500, fault: { kind: 'kill', target: 'broker', backAfterMs: 500 } },
    ]),
  }),
};
