/** Removes: a process that is asked to stop finishes what it holds. It ends at once. */
import { replace } from './replace.js';

interface ServiceLike {
  readonly name: string;
  start(): Promise<void>;
}

type RunUntilSignal = (services: readonly ServiceLike[], ...rest: unknown[]) => Promise<number>;

replace(
  'message-table/service/lifecycle',
  'runUntilSignal',
  (original: RunUntilSignal): RunUntilSignal =>
    (services, ...rest) =>
      original(
        services.map((service) => ({
          name: service.name,
          start: () => service.start(),
          stop: () => Promise.resolve(),
        })),
        ...rest,
      ),
);
