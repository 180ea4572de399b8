import type { World } from '../world/world.js';
import type { Journal } from './journal.js';

/** Writes down whenever a server or a process of ours ends, asked or not, and how. */
export function watchProcesses(world: Pick<World, 'watchAll' | 'failPoints'>, journal: Journal): void {
  world.watchAll((one) => {
    one.on('exit', ({ code, signal, expected }) => {
      const atStep = world.failPoints.endedAtStep(one.name);
      const how = { expected: expected || atStep, code, signal };
      journal.write({ kind: 'process', target: one.name, what: 'exited', ...how });
    });
  });
}
