import type { World } from '../world/world.js';
import type { Journal } from './journal.js';

/** Writes down every step at which a process was crashed or halted, by the lines of its fail-points. */
export function recordSteps({ services, failPoints }: World, journal: Journal): void {
  const clockOffsetMs = Date.now() - performance.now() + journal.startedMs;
  for (const { target, at, step } of failPoints.reached([...services.keys()])) {
    journal.add({ atMs: Math.round(at - clockOffsetMs), kind: 'step', target, step, messageId: null });
  }
}
