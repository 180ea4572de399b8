import type { HistoryRecord, Plan } from '@counterfoil/chaos';

type Fault = Plan['faults'][number]['fault'];
type FaultRecord = Extract<HistoryRecord, { kind: 'fault' }>;

/** What begins when something happens, in plain words: a head, and what it means. */
export interface Act {
  readonly head: string;
  readonly means: string;
}

/**
 * @param inForce faults that have begun and not ended, this record's own included
 * @returns null for what needs no word
 */
export function actOf(record: HistoryRecord, { world }: Plan, inForce: readonly Fault[]): Act | null {
  switch (record.kind) {
    case 'phase':
      return record.name === 'warm-up' ? ALL_WELL : null;
    case 'fault':
      return record.phase === 'begin' ? begun(record.fault) : ended(record, world);
    case 'process':
      return record.what === 'exited' ? killedAtWork(record.target, world, inForce) : null;
    case 'order':
    case 'step':
      return null;
  }
}

const ALL_WELL: Act = {
  head: 'All is well.',
  means: 'The order service itself sends each message, right after its COMMIT: the fast path.',
};

function begun(fault: Fault): Act | null {
  if (fault.kind === 'kill' && fault.target === 'broker')
    return {
      head: 'The broker is killed.',
      means: 'Orders are still taken: their messages wait in the order database.',
    };
  return null;
}

function ended({ fault, effect }: FaultRecord, { settings }: Plan['world']): Act | null {
  const rate = Number(settings['RELAY_RATE']);
  if (fault.kind === 'kill' && fault.target === 'broker')
    return {
      head: 'The broker is back.',
      means: `What is ordered now takes the fast path again; the relay sends what waits, ${String(rate)} a second.`,
    };
  if (fault.kind === 'scale') {
    const relays = effect?.['after'] ?? fault.to;
    return {
      head: `Now there are ${String(relays)} relays.`,
      means: `They share what waits without talking to each other, ${String(rate * relays)} a second.`,
    };
  }
  return null;
}

/** By a fail-point: the fault begins when it is armed, and the process dies when it comes to its step. */
function killedAtWork(target: string, { settings }: Plan['world'], inForce: readonly Fault[]): Act | null {
  if (!inForce.some((fault) => fault.kind === 'crash-at' && fault.target === target)) return null;
  const leaseSeconds = Number(settings['SENDING_LEASE_MS']) / 1000;
  return {
    head: `${target} is killed with messages in its hands.`,
    means: `Its leases on them end within ${String(leaseSeconds)} s; then another relay takes them over.`,
  };
}

export const BACKLOG_GONE: Act = {
  head: 'Nothing waits any more.',
  means: 'All that was ordered while the broker was away has been sent.',
};
