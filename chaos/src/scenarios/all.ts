import { noSuch } from '../near-names.js';
import { archiveUnderLoad } from './archive-under-load.js';
import { backlogScaleOut } from './backlog-scale-out.js';
import { baseline } from './baseline.js';
import { brokerAlarm } from './broker-alarm.js';
import { brokerKill } from './broker-kill.js';
import { brokerOutage } from './broker-outage.js';
import { classicBrokerKill } from './classic-broker-kill.js';
import { clockSkew } from './clock-skew.js';
import { databaseDeadlocks } from './database-deadlocks.js';
import { inventoryDbKill, orderDbKill } from './database-kills.js';
import { everything, soak } from './everything.js';
import { deadLetters } from './dead-letters.js';
import { intakeHalted, inventoryCrash, inventoryHalted, relayHalted } from './halted.js';
import { httpChannel } from './http-channel.js';
import { inventoryKill } from './inventory-kill.js';
import { killerMessage } from './killer-message.js';
import { copiesHalted, lateProducts, redeliveryHalted } from './late-products.js';
import { ackLost, commitUnknown, confirmLost, halfOpen } from './link-cuts.js';
import { hotProduct, soldOut } from './one-product.js';
import { oneAttempt } from './one-attempt.js';
import { orderServiceKill } from './order-service-kill.js';
import { pauseRelay } from './pause-relay.js';
import { poison } from './poison.js';
import { queueDeleted, queueDeletedEmpty } from './queue-deleted.js';
import { queueFull } from './queue-full.js';
import { relayKill } from './relay-kill.js';
import { rollingRestart, serverRestart } from './rolling-restart.js';
import { relaysAlone } from './relays-alone.js';
import type { Scenario } from './scenario.js';
import { show } from './show.js';
import { slicerAndReset } from './slicer-and-reset.js';
import { slowLinks } from './slow-links.js';
import { taskGroups } from './task-groups.js';
import { threeNodeBroker } from './three-node-broker.js';
import { twoShards } from './two-shards.js';
import { unplugged } from './unplugged.js';
import { unroutable } from './unroutable.js';

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
  slowLinks,
  slicerAndReset,
  brokerAlarm,
  unroutable,
  poison,
  hotProduct,
  soldOut,
  databaseDeadlocks,
  rollingRestart,
  serverRestart,
  clockSkew,
  relaysAlone,
  taskGroups,
  relayHalted,
  intakeHalted,
  inventoryHalted,
  inventoryCrash,
  lateProducts,
  redeliveryHalted,
  copiesHalted,
  deadLetters,
  killerMessage,
  oneAttempt,
  queueFull,
  httpChannel,
  classicBrokerKill,
  threeNodeBroker,
  twoShards,
  queueDeletedEmpty,
  queueDeleted,
  archiveUnderLoad,
  unplugged,
  show,
  everything,
  soak,
];

export function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw noSuch(
    'scenario',
    name,
    SCENARIOS.map((one) => one.name),
  );
}
