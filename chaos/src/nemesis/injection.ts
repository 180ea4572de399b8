import type { Effect } from '../history.js';
import type { Fault, FaultKind } from '../plan.js';
import type { World } from '../world/world.js';

/** A fault that is in force. Healing tells what it did, in numbers. */
export interface Injection {
  heal(): Promise<Effect>;
}

export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

export type Inject<Kind extends FaultKind> = (world: World, fault: FaultOf<Kind>) => Promise<Injection>;
