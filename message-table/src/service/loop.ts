import { setTimeout as sleep } from 'node:timers/promises';

import { outsideTransactions } from '../database/current-transaction.js';
import { toError } from '../errors.js';
import type { MessageTableEvents } from '../observe/events.js';
import type { Service } from './lifecycle.js';

/** One pass of work. Resolves to how long to rest before the next, ms; 0 means go again now. */
export type Step = (signal: AbortSignal) => Promise<number>;

export interface LoopOptions {
  readonly name: string;
  readonly events: MessageTableEvents;
  /** How long one pass and its rest usually take, ms; a loop that has not turned for three of these, at least 30 s, is unhealthy. */
  readonly periodMs: number;
  readonly step: Step;
  readonly restAfterErrorMs?: number;
  /** Runs when the loop has ended, before `stop` resolves. */
  readonly onStopped?: () => Promise<void>;
}

export interface Loop extends Service {
  /** False when it has not turned for too long. */
  isTurning(): boolean;
}

const LONGEST_SILENCE_MS = 30_000;

/**
 * Runs `step` again and again until it is stopped. An error is reported and rested on, and never ends the loop;
 * one pass ends before the next begins.
 */
export function createLoop(options: LoopOptions): Loop {
  const { name, events, step, periodMs, restAfterErrorMs = 500 } = options;
  const stopping = new AbortController();
  // Not started yet is not stuck: migrations may wait for a database.
  let lastTurnMs = Infinity;
  let ended: Promise<void> | undefined;

  // Async: a step that throws before it has a promise would end the loop.
  const pass = async (): Promise<number> => step(stopping.signal);

  const turn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      lastTurnMs = performance.now();
      const restMs = await pass().catch((error: unknown) => {
        if (!stopping.signal.aborted) events.emit('loopFailed', { loop: name, error: toError(error) });
        return restAfterErrorMs;
      });
      if (restMs > 0) await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    name,
    start: () => {
      ended ??= outsideTransactions(turn);
      return Promise.resolve();
    },
    stop: async () => {
      stopping.abort();
      await ended;
      await options.onStopped?.();
    },
    isTurning: () => performance.now() - lastTurnMs < Math.max(3 * periodMs, LONGEST_SILENCE_MS),
  };
}

/** Spreads replicas that started together: `ms` ± 20 %. */
export const jittered = (ms: number): number => ms * (0.8 + 0.4 * Math.random());
