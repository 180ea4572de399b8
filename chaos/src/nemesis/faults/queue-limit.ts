import type { Inject } from '../injection.js';

const POLICY = 'chaos-limit';

/** Our queues say `reject-publish`: a full one refuses single messages, in the midst of others that it takes. */
export const queueLimit: Inject<'queue-limit'> = async (world, { queue, messages }) => {
  const { broker } = world.stack;
  const pattern = `^${queue.replaceAll('.', '\\.')}$`;
  const definition = JSON.stringify({ 'max-length': messages });
  await broker.ctl('set_policy', POLICY, pattern, definition, '--apply-to', 'queues');
  const sinceMs = performance.now();
  return {
    heal: async () => {
      await broker.ctl('clear_policy', POLICY);
      return { limitedMs: Math.round(performance.now() - sinceMs) };
    },
  };
};
