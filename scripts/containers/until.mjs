import { setTimeout as rest } from 'node:timers/promises';

/** Looks twice a second until `look` gives something. @throws Error that says what did not come */
export async function until(what, look, { seconds = 120 } = {}) {
  const giveUpAtMs = Date.now() + seconds * 1_000;
  let last = 'nothing';
  while (Date.now() < giveUpAtMs) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error.message;
    }
    await rest(500);
  }
  throw new Error(`${what} did not come within ${seconds} s (${last})`);
}
