import type { Effect } from '../history.js';
import type { Fault, FaultKind } from '../plan.js';
import type { World } from '../world/world.js';

/** A fault that is in force. Healing tells what it did, in numbers. */
export interface Injection {
  heal(): Promise<Effect>;
}

/** Takes back whatever is in force of a fault: all of it, a part or nothing; it may be called again. */
export type Undo = () => Promise<void>;

export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/**
 * @param undoBy is told, before anything is broken, how to take it back when injecting or healing fails half-way; not needed
 *   for what the world brings back by itself: processes and servers that are dead, halted or off their network
 */
export type Inject<Kind extends FaultKind> = (
  world: World,
  fault: FaultOf<Kind>,
  undoBy: (undo: Undo) => void,
) => Promise<Injection>;
