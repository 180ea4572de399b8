import type { Stack } from './stack.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * For the `main.ts` of a process that owns a stack and has nothing else to end: stops the stack in order, then the process.
 * Without it a signal ends the process at once and the watchdog clears up behind it.
 */
export function stopOnSignals(stack: Pick<Stack, 'stop'>): void {
  const onSignal = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once.
    for (const each of SIGNALS) process.off(each, onSignal);
    void stack.stop().finally(() => process.kill(process.pid, signal));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
