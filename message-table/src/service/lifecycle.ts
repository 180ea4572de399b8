import { toError } from '../errors.js';

/** What every long-lived part of a process is. */
export interface Service {
  readonly name: string;
  /** Begins to work. Resolves although a server is away: readiness, not start, tells whether it can. */
  start(): Promise<void>;
  /** Takes no new work, finishes or gives back what it holds, then resolves. Safe twice, and before `start`. */
  stop(): Promise<void>;
}

export async function startInOrder(services: readonly Service[]): Promise<void> {
  for (const service of services) await service.start();
}

/** Stops in reverse order; one that fails does not keep the others from stopping. */
export async function stopInReverse(services: readonly Service[]): Promise<Error[]> {
  const errors: Error[] = [];
  for (const service of [...services].reverse()) {
    await service.stop().catch((error: unknown) => errors.push(toError(error)));
  }
  return errors;
}

export interface ProcessSignals {
  once(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

/**
 * Starts in order, waits for SIGTERM or SIGINT, stops in reverse.
 *
 * @param stopDeadlineMs after this the process ends anyway: leases repair what was held
 * @returns the exit code: 0 when everything stopped, 1 when something failed, the deadline passed, or a second signal came
 */
export async function runUntilSignal(
  services: readonly Service[],
  signals: ProcessSignals,
  stopDeadlineMs: number,
  report: (error: Error) => void,
): Promise<0 | 1> {
  const asked = nextSignal(signals);
  // A server that is away can keep a start waiting; a signal ends that as well.
  await Promise.race([startInOrder(services), asked]);
  await asked;
  const second = nextSignal(signals);
  const stopped = stopInReverse(services).then((errors) => {
    errors.forEach(report);
    return errors.length === 0 ? 0 : 1;
  });
  return Promise.race([stopped, second.then(() => 1 as const), deadline(stopDeadlineMs)]);
}

const nextSignal = (signals: ProcessSignals): Promise<void> =>
  new Promise((resolve) => {
    signals.once('SIGTERM', resolve);
    signals.once('SIGINT', resolve);
  });

const deadline = (ms: number): Promise<1> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, 1).unref();
  });
