import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let held = false;
let waiting;

/** Makes a signal end us by process.exit, so that locks and policies are put back; without this Node just dies. */
export function endOnSignals() {
  const onSignal = (signal) => (held ? (waiting = signal) : process.exit(128 + constants.signals[signal]));
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => SIGNALS.forEach((signal) => process.off(signal, onSignal));
}

/** Lets `work` finish first: dpkg must not be cut off half-way. */
export async function withSignalsHeld(work) {
  held = true;
  try {
    return await work();
  } finally {
    held = false;
    if (waiting !== undefined) process.exit(128 + constants.signals[waiting]);
  }
}
