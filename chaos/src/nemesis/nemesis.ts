import { setTimeout as sleep } from 'node:timers/promises';

import type { Effect } from '../history.js';
import type { Fault, FaultKind, PlannedFault } from '../plan.js';
import type { Journal } from '../run/journal.js';
import type { World } from '../world/world.js';
import { alarm, deleteQueue, poison, unbind } from './faults/broker-faults.js';
import { crashAt } from './faults/crash-at.js';
import { deadlocks } from './faults/database-faults.js';
import { deadLetters } from './faults/dead-letters.js';
import { haltAt } from './faults/halt-at.js';
import { httpAnswer, httpHold } from './faults/http-faults.js';
import { killerMessage } from './faults/killer-message.js';
import { cut, slice, slow } from './faults/link-faults.js';
import { missingProducts } from './faults/missing-products.js';
import { kill, pause, scale, stop } from './faults/process-faults.js';
import { queueLimit } from './faults/queue-limit.js';
import type { Inject, Injection } from './injection.js';

/**
 * Follows the plan: each fault at its time, for its time, with its effect written down. Faults may overlap, but two on
 * one target wait for each other: what is down already cannot be killed.
 */
export async function runFaults(
  world: World,
  faults: readonly PlannedFault[],
  journal: Journal,
  startedMs: number,
): Promise<void> {
  const lastOn = new Map<string, Promise<void>>();
  const running = [...faults].sort(byTime).map((planned) => {
    const aim = 'target' in planned.fault ? planned.fault.target : planned.id;
    const before = lastOn.get(aim) ?? Promise.resolve();
    const ended = before.then(() => runFault(world, planned, journal, startedMs));
    lastOn.set(aim, ended);
    return ended;
  });
  await Promise.all(running);
}

const byTime = (a: PlannedFault, b: PlannedFault): number => a.atMs - b.atMs;

async function runFault(
  world: World,
  { id, atMs, fault }: PlannedFault,
  journal: Journal,
  startedMs: number,
): Promise<void> {
  await sleep(Math.max(0, startedMs + atMs - performance.now()));
  journal.write({ kind: 'fault', id, phase: 'begin', fault, effect: null });
  const effect = await injectAndHeal(world, fault).catch((error: unknown): Effect => {
    journal.note(`fault ${id} could not be injected: ${String(error)}`);
    return {};
  });
  journal.write({ kind: 'fault', id, phase: 'end', fault, effect });
}

async function injectAndHeal(world: World, fault: Fault): Promise<Effect> {
  const injection = await inject(world, fault);
  await sleep(lengthMs(fault));
  return injection.heal();
}

const INJECTORS: { readonly [Kind in FaultKind]: Inject<Kind> } = {
  kill,
  'crash-at': crashAt,
  stop,
  pause,
  'halt-at': haltAt,
  'killer-message': killerMessage,
  cut,
  slow,
  slice,
  alarm,
  unbind,
  'queue-limit': queueLimit,
  'delete-queue': deleteQueue,
  poison,
  deadlocks,
  'missing-products': missingProducts,
  'dead-letters': deadLetters,
  'http-answer': httpAnswer,
  'http-hold': httpHold,
  scale,
};

const inject = (world: World, fault: Fault): Promise<Injection> =>
  // The table pairs each kind with its own injector; the compiler cannot follow a union through it.
  (INJECTORS[fault.kind] as (world: World, fault: Fault) => Promise<Injection>)(world, fault);

/** How long a fault is in force, ms. */
export function lengthMs(fault: Fault): number {
  if ('forMs' in fault) return fault.forMs;
  return 'backAfterMs' in fault ? fault.backAfterMs : 0;
}
