import type { Inject } from '../injection.js';
import type { World } from '../../world/world.js';
import { sumOfMetric } from './sum-of-metric.js';

const POLICY = 'chaos-limit';

const failed = (world: World): Promise<number> => sumOfMetric(world, 'counterfoil_attempts_failed_total');

/** Our queues say `reject-publish`: a full one refuses single messages, in the midst of others that it takes. */
export const queueLimit: Inject<'queue-limit'> = async (world, { queue, messages }) => {
  const { broker } = world.stack;
  const pattern = `^${queue.replaceAll('.', '\\.')}$`;
  const definition = JSON.stringify({ 'max-length': messages });
  await broker.ctl('set_policy', POLICY, pattern, definition, '--apply-to', 'queues');
  const before = await failed(world);
  const sinceMs = performance.now();
  return {
    heal: async () => {
      await broker.ctl('clear_policy', POLICY);
      const attemptsFailed = Math.max(0, (await failed(world)) - before);
      return { attemptsFailed, limitedMs: Math.round(performance.now() - sinceMs) };
    },
  };
};
