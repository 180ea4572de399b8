import type { RunFacts } from '../facts.js';
import { isBroker, isDatabase, isServer, type Fault, type FaultKind } from '../plan.js';
import { faultWindows, type FaultWindow } from './fault-windows.js';
import { inFlight, type Side } from './in-flight.js';
import { unaskedExits } from './unasked-exits.js';
import { setting } from './settings.js';

export interface DuplicateBound {
  readonly deductions: number;
  readonly decisions: number;
}

/**
 * A message is published again only when its attempt ended without a known outcome, so each time that a fault parts
 * publishers from their answers costs at most what they have in flight:
 *
 *   in flight of a relay          = RELAY_BATCH × its task groups
 *   in flight of a service        = FAST_PATH_QUEUE, or 0 with the fast path off
 *   times that a fault can part   = 1                                         kill, crash, halt, pause, an exit by itself
 *                                 = 1 + ⌈length / ATTEMPT_TIMEOUT_MS⌉         cut, slow, slice, alarm: each attempt may time out
 *                                 = 1 + ⌈length / SENDING_LEASE_MS⌉           the database: outcomes are kept until the lease ends
 *   who is parted                 = the target; for a server everybody on its route; for a link the process at its end
 *   bound                         = Σ over the faults (who × in flight × times) + a person's retries and replays
 *
 * Processes that stop when asked to (stop, scale) and locks in the way (deadlocks) part nobody from an answer. No
 * fault, no duplicate.
 */
export function duplicatesAtMost(facts: RunFacts): DuplicateBound {
  const { duplicatesAtMost: given } = facts.plan.expected;
  if (given !== null) return { deductions: given, decisions: given };
  const windows = faultWindows(facts.history);
  const bound = (side: Side): number =>
    windows.reduce((total, window) => total + allowed(window, side, facts), 0) +
    unaskedExits(facts.history).reduce((total, { target }) => total + inFlight(target, side, facts), 0) +
    actions(side, facts);
  return { deductions: bound('order'), decisions: bound('inventory') };
}

function allowed(window: FaultWindow, side: Side, facts: RunFacts): number {
  const parted = partedBy(window.fault);
  if (parted === null || isOtherDatabase(parted, side)) return 0;
  return inFlight(parted.who, side, facts) * times(window, parted.from, facts);
}

interface Parted {
  /** A process, all of a kind, or everybody. */
  readonly who: string;
  /** The server or link; null: from everything, because it died or was halted itself. */
  readonly from: string | null;
}

const AT_THE_BROKER: readonly string[] = ['alarm', 'unbind', 'delete-queue'] satisfies FaultKind[];

function partedBy(fault: Fault): Parted | null {
  if (fault.kind === 'scale' || (fault.kind === 'stop' && !isServer(fault.target))) return null;
  if ('link' in fault) return { who: fault.link.split('→')[0] ?? '', from: fault.link };
  if ('target' in fault && isServer(fault.target)) return { who: 'everybody', from: fault.target };
  if ('target' in fault) return { who: fault.target, from: null };
  return AT_THE_BROKER.includes(fault.kind) ? { who: 'everybody', from: 'broker' } : null;
}

const isOtherDatabase = ({ who, from }: Parted, side: Side): boolean =>
  who === 'everybody' && from !== null && !isBroker(from) && !from.startsWith(`${side}-db`);

function times({ fromMs, toMs, fault }: FaultWindow, from: string | null, facts: RunFacts): number {
  if (from === null) return 1;
  const per = setting(facts, isDatabaseEnd(from) ? 'SENDING_LEASE_MS' : 'ATTEMPT_TIMEOUT_MS');
  const lengthMs = toMs === null ? plannedLength(fault) : toMs - fromMs;
  return 1 + Math.ceil(lengthMs / per);
}

/** A database, or a link to one. */
const isDatabaseEnd = (from: string): boolean => isDatabase(from.split('→').at(-1) ?? '');

const plannedLength = (fault: Fault): number => {
  if ('forMs' in fault) return fault.forMs;
  return 'backAfterMs' in fault ? fault.backAfterMs : 0;
};

const actions = (side: Side, { books }: RunFacts): number =>
  books.actions.filter(({ database, action }) => database === side && action !== 'give-up').length;
