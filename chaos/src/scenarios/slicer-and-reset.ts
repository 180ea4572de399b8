import type { Link } from '../plan.js';
import { numbered, type Scenario } from './scenario.js';

const LINKS: readonly Link[] = ['relay→broker', 'inventory→broker'];

export const slicerAndReset: Scenario = {
  name: 'slicer-and-reset',
  story: 'Frames arrive in small pieces, then connections are reset in the middle of them.',
  inCi: false,
  plan: ({ seconds }) => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000' },
    world: { links: LINKS },
    rateAtMost: 300,
    faults: numbered(
      LINKS.flatMap((link, index) => [
        { atMs: 1_000 + index * 700, fault: { kind: 'slice' as const, link, forMs: Math.round(seconds * 300) } },
        ...[0.45, 0.7].map((part) => ({
          atMs: Math.round(part * seconds * 1000) + index * 900,
          fault: { kind: 'cut' as const, link, how: 'reset' as const, direction: 'both' as const, forMs: 400 },
        })),
      ]),
    ),
  }),
};
