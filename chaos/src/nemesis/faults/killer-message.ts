import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceProcess } from '@counterfoil/stack';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';

import { isKillers, killerIn, type Killer } from '../../sabotage/preloads/killer-setting.js';
import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

const LOOK_EVERY_MS = 50;
/** A slow machine takes longer for five leases; a relay that is halted in the end would send what was given up. */
const GIVEN_UP_WITHIN_MS = 60_000;

const FAILED = `SELECT content FROM producer_message FORCE INDEX (for_claim) WHERE status = 'FAILED'`;

/**
 * A supervisor for relays that a message takes along. The preload `killer` halts a relay that is about to send the
 * message; here it is killed, as if the message had done it, and started again.
 */
export const killerMessage: Inject<'killer-message'> = (world, _fault, undoBy) => {
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
  watching.catch(() => undefined); // until the fault ends nobody else listens
  undoBy(async () => {
    stopping.abort();
    await watching.catch(() => undefined);
  });
  return Promise.resolve({
    heal: async () => {
      await untilGivenUp(world);
      stopping.abort();
      await watching;
      return { killedByMessage: kills };
    },
  });
};

async function untilGivenUp({ stack, plan }: World): Promise<void> {
  const killer = killerIn(plan.world.settings);
  if (killer === null) return;
  const orders = await createConnection({ uri: stack.orderDb.url });
  try {
    for (const sinceMs = performance.now(); performance.now() - sinceMs < GIVEN_UP_WITHIN_MS; await sleep(500)) {
      if (await isGivenUp(orders, killer)) return;
    }
  } finally {
    orders.destroy();
  }
}

/** It, and not one of those that were claimed with it. */
export async function isGivenUp(orders: Connection, killer: Killer): Promise<boolean> {
  const [rows] = await orders.query<RowDataPacket[]>(FAILED);
  return rows.some(({ content }) => isKillers(String(content), killer));
}

/** `T` is the third word of its line, after a name in brackets. */
async function isHalted({ pid }: ServiceProcess): Promise<boolean> {
  if (pid === undefined) return false;
  const line = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  return line.includes(') T ');
}
