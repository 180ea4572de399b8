import { inspect } from 'node:util';

/**
 * For a `main.ts` that says something else with exit code 1: ends the process with `exitCode` at an error that nobody
 * caught, and with the error's stack, since it is a bug of ours. What the process has started goes with it as after a
 * signal: the stack's watchdog clears up.
 */
export function endWhenBroken(own: Pick<NodeJS.Process, 'on' | 'stderr' | 'exit'>, exitCode: number): void {
  // A promise that nobody waits for ends here as well.
  own.on('uncaughtException', (error: unknown) => {
    try {
      own.stderr.write(`\nAn error that nobody caught: ${inspect(error)}\n`);
    } finally {
      own.exit(exitCode);
    }
  });
}
