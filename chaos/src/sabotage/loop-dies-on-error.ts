/** Removes: a loop survives every error. The first one ends it, silently. */
import { replace } from './replace.js';

interface Options {
  readonly step: (signal: AbortSignal) => Promise<number>;
}

type Create = (options: Options) => unknown;

const untilStopped = (signal: AbortSignal): Promise<number> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(0));
  });

replace(
  'message-table/service/loop',
  'createLoop',
  (original: Create): Create =>
    (options) =>
      original({ ...options, step: (signal) => options.step(signal).catch(() => untilStopped(signal)) }),
);
