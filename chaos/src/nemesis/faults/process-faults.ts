import type { Inject } from '../injection.js';

/** SIGKILL, and back after a while. */
export const kill: Inject<'kill'> = async (world, { target }) => {
  const process = world.target(target);
  const killedMs = performance.now();
  await process.kill('SIGKILL');
  return {
    heal: async () => {
      const launchedMs = performance.now();
      await process.start();
      return {
        exits: 1,
        downMs: Math.round(launchedMs - killedMs),
        readyAfterMs: Math.round(performance.now() - launchedMs),
      };
    },
  };
};

/** SIGTERM: the process may finish what it holds. */
export const stop: Inject<'stop'> = async (world, { target }) => {
  const process = world.target(target);
  const askedMs = performance.now();
  await process.stop();
  const stoppedMs = performance.now();
  return {
    heal: async () => {
      await process.start();
      return { exits: 1, stopMs: Math.round(stoppedMs - askedMs), downMs: Math.round(performance.now() - stoppedMs) };
    },
  };
};

/** SIGSTOP and SIGCONT: it keeps its connections, its claims and its ideas of the time. */
export const pause: Inject<'pause'> = async (world, { target }) => {
  const process = world.target(target);
  const pausedMs = performance.now();
  await process.pause();
  return {
    heal: async () => {
      await process.resume();
      return { pausedMs: Math.round(performance.now() - pausedMs) };
    },
  };
};

export const scale: Inject<'scale'> = async (world, { to }) => {
  const before = world.relays().length;
  await world.scaleRelays(to);
  const after = world.relays().length;
  return { heal: () => Promise.resolve({ relaysChanged: Math.abs(after - before), before, after }) };
};
