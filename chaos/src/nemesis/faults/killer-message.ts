import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceProcess } from '@counterfoil/stack';

import type { Inject } from '../injection.js';

const LOOK_EVERY_MS = 50;

/**
 * A supervisor for relays that a message takes along. The preload `killer` halts a relay that is about to send the
 * message; here it is killed, as if the message had done it, and started again.
 */
export const killerMessage: Inject<'killer-message'> = (world) => {
  const stopping = new AbortController();
  let kills = 0;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const relay of world.relays()) {
        if (!(await isHalted(relay))) continue;
        await relay.kill('SIGKILL');
        await relay.start();
        kills += 1;
      }
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return Promise.resolve({
    heal: async () => {
      stopping.abort();
      await watching;
      return { killedByMessage: kills };
    },
  });
};

/** `T` is the third word of its line, after a name in brackets. */
async function isHalted({ pid }: ServiceProcess): Promise<boolean> {
  if (pid === undefined) return false;
  const line = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  return line.includes(') T ');
}
