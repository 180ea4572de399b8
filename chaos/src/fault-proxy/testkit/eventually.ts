import { setTimeout as rest } from 'node:timers/promises';

const PATIENCE_MS = 15_000;

/** Resolves as soon as it holds, within a few milliseconds. */
export async function eventually(holds: () => boolean | Promise<boolean>, otherwise: () => string): Promise<void> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAtMs) throw new Error(otherwise());
    await rest(1);
  }
}

/** For what must not happen. A slow machine makes it see less, never fail. */
export const quiet = (ms: number): Promise<void> => rest(ms);
