import type { RunFacts } from '../facts.js';
import type { Fault } from '../plan.js';
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
 *   in flight of a relay          = RELAY_BATCH
 *   in flight of a service        = FAST_PATH_QUEUE, or 0 with the fast path off
 *   times that a fault can part   = 1                                         kill, pause, an exit by itself
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
    unaskedExits(facts.history).reduce((total, target) => total + inFlight(target, side, facts), 0) +
    actions(side, facts);
  return { deductions: bound('order'), decisions: bound('inventory') };
}

function allowed(window: FaultWindow, side: Side, facts: RunFacts): number {
  const { fault } = window;
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return onTarget(window, fault.target, side, facts);
    case 'stop':
      return isServer(fault.target) ? onTarget(window, fault.target, side, facts) : 0;
    case 'cut':
    case 'slow':
    case 'slice':
      return inFlight(fault.link.split('→')[0] ?? '', side, facts) * times(window, fault.link, facts);
    case 'alarm':
    case 'unbind':
    case 'delete-queue':
      return inFlight('everybody', side, facts) * times(window, 'broker', facts);
    case 'poison':
    case 'deadlocks':
    case 'scale':
      return 0;
  }
}

const isServer = (target: string): boolean => target === 'broker' || target.endsWith('-db');

function onTarget(window: FaultWindow, target: string, side: Side, facts: RunFacts): number {
  if (!isServer(target)) return inFlight(target, side, facts);
  if (target.endsWith('-db') && target !== `${side}-db`) return 0;
  return inFlight('everybody', side, facts) * times(window, target, facts);
}

function times({ fromMs, toMs, fault }: FaultWindow, where: string, facts: RunFacts): number {
  const per = setting(facts, where.endsWith('-db') ? 'SENDING_LEASE_MS' : 'ATTEMPT_TIMEOUT_MS');
  const lengthMs = toMs === null ? plannedLength(fault) : toMs - fromMs;
  return 1 + Math.ceil(lengthMs / per);
}

const plannedLength = (fault: Fault): number => {
  if ('forMs' in fault) return fault.forMs;
  return 'backAfterMs' in fault ? fault.backAfterMs : 0;
};

const actions = (side: Side, { books }: RunFacts): number =>
  books.actions.filter(({ database, action }) => database === side && action !== 'give-up').length;
