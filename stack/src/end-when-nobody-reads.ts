/**
 * For a `main.ts` that writes: ends the process quietly when whoever reads what it says has gone (`… | head`), with the
 * exit code that it would have now. Without it Node dies of EPIPE with a stack trace. What the process has started goes
 * with it as after a signal: the stack's watchdog clears up.
 */
export function endWhenNobodyReads(own: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>): void {
  for (const stream of [own.stdout, own.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      own.exit();
    });
  }
}
