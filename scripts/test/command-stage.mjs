import { runNode } from './run-node.mjs';

/** A script that passes or fails as a whole. */
export function commandStage(name, { script, args = [], minutes }) {
  return {
    name,
    async run() {
      const passed = await runNode([script, ...args], { minutes });
      return { passed: Number(passed), failed: Number(!passed), skipped: 0 };
    },
  };
}
