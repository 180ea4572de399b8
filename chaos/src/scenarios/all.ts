import { backlogScaleOut } from './backlog-scale-out.js';
import { baseline } from './baseline.js';
import { brokerKill } from './broker-kill.js';
import { brokerOutage } from './broker-outage.js';
import { inventoryDbKill, orderDbKill } from './database-kills.js';
import { inventoryKill } from './inventory-kill.js';
import { ackLost, commitUnknown, confirmLost, halfOpen } from './link-cuts.js';
import { orderServiceKill } from './order-service-kill.js';
import { pauseRelay } from './pause-relay.js';
import { relayKill } from './relay-kill.js';
import type { Scenario } from './scenario.js';

/** In the order in which `--scenario all` runs them; the first six are the set that CI runs. */
export const SCENARIOS: readonly Scenario[] = [
  baseline,
  relayKill,
  orderServiceKill,
  inventoryKill,
  brokerKill,
  backlogScaleOut,
  orderDbKill,
  inventoryDbKill,
  brokerOutage,
  halfOpen,
  confirmLost,
  commitUnknown,
  ackLost,
  pauseRelay,
];

export function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw new Error(`There is no scenario '${name}'. There are: ${SCENARIOS.map((one) => one.name).join(', ')}`);
}
