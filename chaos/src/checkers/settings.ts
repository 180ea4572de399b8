import type { RunFacts } from '../facts.js';

/** What the processes fall back to, as in the contract. */
const FALLBACKS = {
  RELAY_RATE: 500,
  RELAY_BATCH: 200,
  FAST_PATH_QUEUE: 1_000,
  ATTEMPT_TIMEOUT_MS: 5_000,
  SENDING_LEASE_MS: 30_000,
} as const;

export const setting = ({ plan }: RunFacts, name: keyof typeof FALLBACKS): number =>
  Number(plan.world.settings[name] ?? FALLBACKS[name]);

/** How many task groups each relay has; each has a batch in flight. */
export const groupCount = ({ plan }: RunFacts): number => {
  const text = plan.world.settings['RELAY_GROUPS'] ?? '';
  return text === '' ? 1 : (JSON.parse(text) as unknown[]).length;
};
