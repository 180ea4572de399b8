import type { World } from '../world/world.js';
import type { Journal } from './journal.js';

/** Writes down whenever a server or a process of ours ends, asked or not. */
export function watchProcesses({ servers, services, failPoints }: World, journal: Journal): void {
  for (const one of [...servers, ...services.values()]) {
    one.on('exit', (exit) => {
      const expected = exit.expected || failPoints.isArmed(one.name);
      journal.write({ kind: 'process', target: one.name, what: 'exited', expected });
    });
  }
}
