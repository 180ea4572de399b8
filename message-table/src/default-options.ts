import { DEFAULT_RETRY_POLICY } from './producer/store/retry-policy.js';

// What an option is when it is left out. The settings of a process have the same defaults (a test compares them).

const SENDING = { retry: DEFAULT_RETRY_POLICY, leaseMs: 30_000, attemptTimeoutMs: 5_000 } as const;
const BROKER = { deadlineMs: 5_000, heartbeatS: 10 } as const;

export const DEFAULT_OPTIONS = {
  messageTable: { ...SENDING, maxContentBytes: 1_048_576, maxRetryCount: 5, fastPathPlaces: 1_000 },
  relay: { ...SENDING, rate: 500, batch: 200, pollMs: 500, byteBudget: 8 * 1024 * 1024 },
  rabbitChannel: { ...BROKER, attemptTimeoutMs: SENDING.attemptTimeoutMs },
  httpChannel: {
    ...{ allowPrivate: [] as readonly string[], maxAnswerBytes: 8 * 1024, perHost: 64 },
    ...{ attemptTimeoutMs: SENDING.attemptTimeoutMs, breakerWindowMs: 10_000 },
  },
  queueConsuming: {
    ...{ ...BROKER, retry: DEFAULT_RETRY_POLICY, batch: 200, prefetch: 400, retentionMs: 604_800_000 },
    ...{ retryingLeaseMs: 30_000, redeliveryPollMs: 500, republishBy: null },
  },
  retry: DEFAULT_RETRY_POLICY,
  breaker: { openAfter: 5, firstPauseMs: 1_000, longestPauseMs: 300_000 },
  transaction: { attempts: 5 },
  migrate: { lockWaitS: 60, deadlineMs: 10_000 },
  database: { poolMax: 12, deadlineMs: 10_000, lockWaitS: 5, acquireTimeoutMs: 2_000 },
} as const;
