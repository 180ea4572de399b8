import type { Channel } from '../channels/channel.js';
import type { Database } from '../database/database.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import type { Destinations } from './destinations.js';
import { pullForward } from './store/park.js';
import { readPauses, type Pause } from './store/pauses.js';

const PERIOD_MS = 1_000;
/** After this the pauses are looked at again before more rows come forward. */
const LONGEST_PULL_MS = 1_000;

/** @returns the pauses that have ended since the last look */
async function lookAtPauses(db: Database, destinations: Destinations): Promise<Pause[]> {
  const isFirst = !destinations.arePausesKnown;
  const before = new Set(destinations.pausesInForce.map(nameOf));
  const ended = destinations.setPauses(await readPauses(db.knex));
  const inForce = destinations.pausesInForce;
  const began = inForce.filter((pause) => !before.has(nameOf(pause)));
  if (isFirst || began.length + ended.length > 0) db.events.emit('pausesChanged', { began, ended, inForce });
  return ended;
}

const nameOf = ({ scope, target }: Pause): string => `${scope} ${target}`;

/** Every process that sends looks at the pauses: the fast path as well as the relays. */
export const createPauseWatch = (db: Database, destinations: Destinations): Loop =>
  createLoop({
    name: 'pause-watch',
    events: db.events,
    periodMs: PERIOD_MS,
    step: async () => {
      await lookAtPauses(db, destinations);
      return jittered(PERIOD_MS);
    },
  });

/** In relays: also brings forward what was parked for something that is free again. */
export function createObstacleWatch(
  db: Database,
  destinations: Destinations,
  channels: ReadonlyMap<string, Channel>,
): ObstacleWatch {
  const freed = new Set<string>();
  const wasUp = new Map<string, boolean>();
  const noticeChannels = (): void => {
    for (const [name, channel] of channels) {
      if (channel.isUp() && wasUp.get(name) === false) freed.add(name);
      wasUp.set(name, channel.isUp());
    }
  };
  const loop = createLoop({
    name: 'obstacle-watch',
    events: db.events,
    periodMs: PERIOD_MS,
    step: async (signal) => {
      for (const { target } of await lookAtPauses(db, destinations)) freed.add(target);
      noticeChannels();
      const endsMs = performance.now() + LONGEST_PULL_MS;
      const mayGoOn = (): boolean => !signal.aborted && performance.now() < endsMs;
      for (const parkedFor of [...freed]) {
        // Before, not after: what is parked for it and freed once more meanwhile is not forgotten.
        freed.delete(parkedFor);
        const isDone = await pullForward(db, parkedFor, mayGoOn).catch((error: unknown) => {
          freed.add(parkedFor);
          throw error;
        });
        if (!isDone) freed.add(parkedFor);
      }
      return freed.size > 0 ? 0 : jittered(PERIOD_MS);
    },
  });
  return { loop, free: (destination) => freed.add(destination) };
}

export interface ObstacleWatch {
  readonly loop: Loop;
  /** The rows that were parked for this come forward at the next look. */
  readonly free: (destination: string) => void;
}
