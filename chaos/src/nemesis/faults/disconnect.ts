import type { Inject } from '../injection.js';

/**
 * A server off its network and back on it. It runs on and nobody reaches it; whoever was connected to it directly is cut
 * off, whoever through a proxy hears nothing more, and the server itself is told neither: it keeps its side of every
 * connection, with what those hold.
 */
export const disconnect: Inject<'disconnect'> = async (world, { target }) => {
  const server = world.server(target);
  await server.disconnect();
  const cutMs = performance.now();
  return {
    heal: async () => {
      const isCutOff = server.isRunning() && !(await server.isReady());
      const backMs = performance.now();
      await server.reconnect();
      await server.waitUntilReady();
      if (!isCutOff) return {};
      return {
        cutOff: 1,
        offMs: Math.round(backMs - cutMs),
        readyAfterMs: Math.round(performance.now() - backMs),
      };
    },
  };
};
