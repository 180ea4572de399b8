import { setTimeout as sleep } from 'node:timers/promises';

import type { ChannelModel } from 'amqplib';

const CLOSE_MS = 2_000;

/** Resolves when the connection is gone, or when nobody waits for that any more. */
export const ended = (model: ChannelModel, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => resolve();
    if (signal.aborted) end();
    model.once('close', end);
    signal.addEventListener('abort', end, { once: true });
  });

/** A polite close hangs on a connection whose other end is gone. */
export const closed = async (model: ChannelModel | null): Promise<void> => {
  if (model === null) return;
  const waiting = new AbortController();
  // It keeps the process alive: with nothing else left, Node would end in the middle of the stop.
  const tooLate = sleep(CLOSE_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([model.close().catch(() => undefined), tooLate]);
  waiting.abort();
};
