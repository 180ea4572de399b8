import { setTimeout as rest } from 'node:timers/promises';
import { docker } from './compose.mjs';
import { until } from './until.mjs';

/** How long each stays dead: longer than any of ours takes to notice. */
const DEAD_MS = 3_000;
/** A database looks through its log first, on whatever disk and processors it is given. */
const HEALTHY_WITHIN_S = 300;

/** SIGKILL to one container after the other; each comes back before the next. */
export async function killEach(compose, tell) {
  const killed = (await compose.containers()).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { id, name } of killed) {
    const startedMs = performance.now();
    await docker('kill', id);
    await rest(DEAD_MS);
    await docker('start', id);
    await untilHealthy(compose);
    tell(`${name} killed, all well again after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
  return killed.length;
}

export const untilHealthy = (compose) =>
  until(
    'every container to be healthy',
    async () => {
      const sick = (await compose.containers()).filter(({ running, health }) => !running || health !== 'healthy');
      if (sick.length > 0)
        throw new Error(sick.map(({ name, health, lastCheck }) => `${name} ${health}: ${lastCheck}`).join(', '));
      return true;
    },
    { seconds: HEALTHY_WITHIN_S },
  );
