import { setTimeout as rest } from 'node:timers/promises';

import { startLoad, type LatencySummary, type LoadSummary, type Progress, type Watched } from '@counterfoil/loadtest';

import { countOpenWork } from './books/open-work.js';
import { waitUntilFinal } from './books/wait-until-final.js';
import { rates, type LiveNumbers } from './live/live-numbers.js';
import { Watcher } from './live/watcher.js';
import { liveLine, liveLines } from './render/live-view.js';
import type { Stage } from './show.js';

export interface LoadRun {
  readonly summary: LoadSummary;
  /** What had not come to its end when nothing moved any more; 0 when all is final. */
  readonly open: number;
  /** Used over the measured part of the load, by process. */
  readonly cores: ReadonlyMap<string, number>;
}

const STUCK_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 250;
const NOTHING: LatencySummary = { count: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };
const BEFORE_LOAD: Progress = {
  phase: 'warm-up',
  elapsedMs: 0,
  attempted: 0,
  ok: 0,
  fail: 0,
  info: 0,
  open: 0,
  recentMs: NOTHING,
};

/**
 * Places all orders and waits until each came to its end, and shows the numbers meanwhile.
 *
 * @throws Error when the databases cannot be read in the end
 */
export async function runLoad(stage: Stage): Promise<LoadRun> {
  const { screen, services, orders, inventory } = stage;
  let progress = BEFORE_LOAD;
  const load = startLoad(stage.settings, (now) => (progress = now));
  const watcher = new Watcher({
    services,
    orders,
    inventory,
    processes: watchedProcesses(stage, load.pid),
    progress: () => progress,
    onLook: drawOn(stage),
  });
  watcher.start();
  const summary = await load.summary;
  const open = await waitUntilFinal({
    countOpen: () => countOpenWork(orders, inventory),
    stuckAfterMs: STUCK_AFTER_MS,
    nowMs: () => performance.now(),
    rest: () => rest(LOOK_EVERY_MS),
  });
  await watcher.stop();
  screen.keep();
  if (open === null) throw new Error('The databases cannot be read, so nobody can tell whether the books hold');
  return { summary, open, cores: watcher.measuredCores() };
}

function watchedProcesses({ services, stack, ownPid }: Stage, loadPid: number): Watched[] {
  const servers = [
    { name: 'order database', pid: () => stack.orderDb.pid },
    { name: 'inventory database', pid: () => stack.inventoryDb.pid },
    { name: 'broker', pid: () => stack.broker.pid },
    { name: 'load generator', pid: () => loadPid },
    { name: 'this display', pid: () => ownPid },
  ];
  return [...services.all.map((service) => ({ name: service.name, pid: () => service.pid })), ...servers];
}

const RATE_OVER_LOOKS = 4;

function drawOn({ screen, flags }: Stage): (numbers: LiveNumbers) => void {
  const looks: LiveNumbers[] = [];
  const totalSeconds = flags.warmUpSeconds + flags.seconds;
  return (numbers) => {
    const frame = { numbers, rates: rates(looks.at(-RATE_OVER_LOOKS), numbers), totalSeconds };
    looks.push(numbers);
    if (looks.length > RATE_OVER_LOOKS) looks.shift();
    screen.draw(liveLines(frame, screen.width, screen.paint), liveLine(frame), numbers.atMs);
  };
}
