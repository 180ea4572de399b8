import type { Inject } from '../injection.js';
import { riseOfMetric } from './sum-of-metric.js';

const POLICY = 'chaos-limit';

/** Our queues say `reject-publish`: a full one refuses single messages, in the midst of others that it takes. */
export const queueLimit: Inject<'queue-limit'> = async (world, { queue, messages }, undoBy) => {
  const { broker } = world.stack;
  undoBy(async () => {
    // One that is not there cannot be cleared.
    if ((await broker.ctl('list_policies')).includes(POLICY)) await broker.ctl('clear_policy', POLICY);
  });
  const pattern = `^${queue.replaceAll('.', '\\.')}$`;
  const definition = JSON.stringify({ 'max-length': messages });
  await broker.ctl('set_policy', POLICY, pattern, definition, '--apply-to', 'queues');
  const attemptsFailed = await riseOfMetric(world, 'counterfoil_attempts_failed_total');
  const sinceMs = performance.now();
  return {
    heal: async () => {
      await broker.ctl('clear_policy', POLICY);
      return { attemptsFailed: await attemptsFailed(), limitedMs: Math.round(performance.now() - sinceMs) };
    },
  };
};
