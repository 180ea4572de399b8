/** @type {Record<string, import('./profile.js').Profile>} */
export const PROFILES = {
  steady: {
    says: 'a thousand orders a second, for a minute',
    startRate: 1000,
    stages: [{ toRate: 1000, seconds: 70 }],
    warmUpSeconds: 10,
    p99Ms: 1000,
  },
  ramp: {
    says: 'from a hundred to a thousand orders a second within a minute',
    startRate: 100,
    stages: [
      { toRate: 1000, seconds: 60 },
      { toRate: 1000, seconds: 20 },
    ],
    warmUpSeconds: 5,
    p99Ms: 1000,
  },
  spike: {
    says: 'two hundred a second, ten times as many for some seconds, and back',
    startRate: 200,
    stages: [
      { toRate: 200, seconds: 20 },
      { toRate: 2000, seconds: 2 },
      { toRate: 2000, seconds: 8 },
      { toRate: 200, seconds: 2 },
      { toRate: 200, seconds: 28 },
    ],
    warmUpSeconds: 5,
    p99Ms: 5000,
  },
  soak: {
    says: 'two hundred orders a second, for half an hour',
    startRate: 200,
    stages: [{ toRate: 200, seconds: 1800 }],
    warmUpSeconds: 30,
    p99Ms: 500,
  },
  backlog: {
    says: 'more than one relay carries, then nothing: what waits must drain',
    startRate: 1000,
    stages: [{ toRate: 1000, seconds: 60 }],
    warmUpSeconds: 10,
    p99Ms: 1000,
    settings: { FAST_PATH: 'off' },
    relays: 1,
  },
};
