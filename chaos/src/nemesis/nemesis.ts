import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Effect } from '../history.js';
import { isBroker, type Fault, type FaultKind, type PlannedFault } from '../plan.js';
import type { Journal } from '../run/journal.js';
import type { World } from '../world/world.js';
import { alarm, poison, unbind } from './faults/broker-faults.js';
import { crashAt } from './faults/crash-at.js';
import { deadlocks } from './faults/database-faults.js';
import { deadLetters } from './faults/dead-letters.js';
import { deleteQueue } from './faults/delete-queue.js';
import { disconnect } from './faults/disconnect.js';
import { haltAt } from './faults/halt-at.js';
import { httpAnswer, httpHold } from './faults/http-faults.js';
import { killerMessage } from './faults/killer-message.js';
import { killNode } from './faults/kill-node.js';
import { cut, slice, slow } from './faults/link-faults.js';
import { missingProducts } from './faults/missing-products.js';
import { pauseSending } from './faults/pause-sending.js';
import { oldPartition } from './faults/old-partition.js';
import { kill, pause, scale, stop } from './faults/process-faults.js';
import { queueLimit } from './faults/queue-limit.js';
import type { Inject, Injection, Undo } from './injection.js';

export interface Course {
  /** Zero of the plan's clock, on the clock of performance.now(). */
  readonly startedMs: number;
  /** From then on nothing is broken any more, and nothing started again. */
  readonly signal: AbortSignal;
}

/**
 * Follows the plan: each fault at its time, for its time, with its effect written down. Faults may overlap, but two on
 * one target or link wait for each other: what is down already cannot be killed.
 *
 * @throws when the course is broken off
 */
export async function runFaults(world: World, journal: Journal, course: Course): Promise<void> {
  const { faults } = world.plan;
  setMaxListeners(0, course.signal); // each fault waits with it
  const lastOn = new Map<string, Promise<void>>();
  const endOf = new Map<string, Promise<void>>();
  const running = [...faults].sort(byTime).map((planned) => {
    const aim = aimOf(planned);
    const before = Promise.all([lastOn.get(aim), endOf.get(planned.after ?? '')]);
    const ended = before.then(() => runFault(world, planned, journal, course));
    lastOn.set(aim, ended);
    endOf.set(planned.id, ended);
    return ended;
  });
  await Promise.all(running);
}

/**
 * A cluster loses its majority with its second node, and a broker that is down can neither raise an alarm nor end one, so
 * faults of the broker take turns. On a link the second of two faults alike would find its toxic there already.
 */
export function aimOf({ id, fault }: Pick<PlannedFault, 'id' | 'fault'>): string {
  if (fault.kind === 'kill-node' || (fault.kind === 'disconnect' && isBroker(fault.target))) return 'broker';
  if (fault.kind === 'alarm') return 'broker';
  if ('link' in fault) return fault.link;
  return 'target' in fault ? fault.target : id;
}

const byTime = (a: PlannedFault, b: PlannedFault): number => a.atMs - b.atMs;

async function runFault(
  world: World,
  { id, atMs, fault }: PlannedFault,
  journal: Journal,
  { startedMs, signal }: Course,
): Promise<void> {
  await sleep(Math.max(0, startedMs + atMs - performance.now()), undefined, { signal });
  journal.write({ kind: 'fault', id, phase: 'begin', fault, effect: null });
  const undos: Undo[] = [];
  const effect = await injectAndHeal(world, fault, undos, signal).catch(async (error: unknown): Promise<Effect> => {
    signal.throwIfAborted();
    journal.note(`fault ${id} could not be injected or healed: ${String(error)}`);
    await world.unhealed.undo(`fault ${id} (${fault.kind})`, undos);
    return {};
  });
  journal.write({ kind: 'fault', id, phase: 'end', fault, effect });
}

async function injectAndHeal(world: World, fault: Fault, undos: Undo[], signal: AbortSignal): Promise<Effect> {
  const injection = await inject(world, fault, (undo) => undos.push(undo));
  await sleep(lengthMs(fault), undefined, { signal });
  return injection.heal();
}

const INJECTORS: { readonly [Kind in FaultKind]: Inject<Kind> } = {
  kill,
  'kill-node': killNode,
  'crash-at': crashAt,
  disconnect,
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
  'old-partition': oldPartition,
  poison,
  deadlocks,
  'missing-products': missingProducts,
  'dead-letters': deadLetters,
  'pause-sending': pauseSending,
  'http-answer': httpAnswer,
  'http-hold': httpHold,
  scale,
};

const inject = (world: World, fault: Fault, undoBy: (undo: Undo) => void): Promise<Injection> =>
  // The table pairs each kind with its own injector; the compiler cannot follow a union through it.
  (INJECTORS[fault.kind] as Inject<FaultKind>)(world, fault, undoBy);

/** How long a fault is in force, ms. */
export function lengthMs(fault: Fault): number {
  if ('forMs' in fault) return fault.forMs;
  return 'backAfterMs' in fault ? fault.backAfterMs : 0;
}
