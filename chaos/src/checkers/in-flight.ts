import type { RunFacts } from '../facts.js';
import { groupCount, setting } from './settings.js';

/** Of which database's messages. */
export type Side = 'order' | 'inventory';

/**
 * How much can be in flight at most.
 *
 * @param who a process (`relay-1`), all of a kind (`relay`), or everybody who publishes on this side
 */
export function inFlight(who: string, side: Side, facts: RunFacts): number {
  const { world } = facts.plan;
  const batch = setting(facts, 'RELAY_BATCH') * groupCount(facts);
  const places = world.settings['FAST_PATH'] === 'off' ? 0 : setting(facts, 'FAST_PATH_QUEUE');
  const kinds =
    side === 'order'
      ? [
          { kind: 'relay', count: mostRelays(facts), each: batch },
          { kind: 'order-service', count: world.orderServices, each: places },
        ]
      : [
          { kind: 'inventory-relay', count: world.inventoryRelays, each: batch },
          { kind: 'inventory-service', count: world.inventoryServices, each: places },
        ];
  return kinds.reduce((total, { kind, count, each }) => total + each * concerned(who, kind, count), 0);
}

function concerned(who: string, kind: string, count: number): number {
  if (who === 'everybody' || who === kind || (who === 'inventory' && kind === 'inventory-service')) return count;
  return who.replace(/-\d+$/, '') === kind ? 1 : 0;
}

const mostRelays = ({ plan }: RunFacts): number =>
  plan.faults.reduce(
    (most, { fault }) => (fault.kind === 'scale' ? Math.max(most, fault.to) : most),
    plan.world.relays,
  );
