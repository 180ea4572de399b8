import { numbered, type Scenario } from './scenario.js';

export const poison: Scenario = {
  name: 'poison',
  story: 'Bodies that nobody can read arrive among the good ones: each is kept once as FAILED, and holds nobody up.',
  inCi: false,
  plan: ({ seconds }) => ({
    faults: numbered(
      [0.2, 0.6].map((part) => ({
        atMs: Math.round(part * seconds * 1000),
        fault: { kind: 'poison' as const, bodies: 30 },
      })),
    ),
  }),
};
