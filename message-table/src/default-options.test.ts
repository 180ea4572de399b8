import { DEFAULT_OPTIONS } from './default-options.js';
import { pick } from './service/common-settings.js';
import { readSettings } from './service/settings.js';

const SAME = pick(
  ...(['SENDING_LEASE_MS', 'ATTEMPT_TIMEOUT_MS', 'MAX_CONTENT_BYTES', 'MAX_RETRY_COUNT', 'FAST_PATH_QUEUE'] as const),
  ...(['RETRY_BASE_MS', 'RETRY_MAX_MS', 'RELAY_RATE', 'RELAY_BATCH', 'RELAY_POLL_MS'] as const),
  ...([
    'AMQP_DEADLINE_MS',
    'AMQP_HEARTBEAT_S',
    'BREAKER_WINDOW_MS',
    'DB_DEADLINE_MS',
    'DB_LOCK_WAIT_S',
    'DB_POOL',
  ] as const),
  ...(['BREAKER_PAUSE_MS', 'HTTP_PER_HOST'] as const),
  ...([
    'CONSUMER_BATCH',
    'CONSUMER_PREFETCH',
    'RETENTION_INBOX_MS',
    'RETRYING_LEASE_MS',
    'REDELIVERY_POLL_MS',
  ] as const),
);

it('when an option and a setting are both left out, then they are the same', () => {
  const { messageTable, relay, breaker, rabbitChannel, httpChannel, queueConsuming, database } = DEFAULT_OPTIONS;
  const { retryBaseMs, retryMaxMs, unknownPauseMs } = messageTable.retry;
  expect(readSettings(SAME, [], {})).toEqual({
    ...{ SENDING_LEASE_MS: messageTable.leaseMs, ATTEMPT_TIMEOUT_MS: messageTable.attemptTimeoutMs },
    ...{ MAX_CONTENT_BYTES: messageTable.maxContentBytes, MAX_RETRY_COUNT: messageTable.maxRetryCount },
    ...{ FAST_PATH_QUEUE: messageTable.fastPathPlaces, RETRY_BASE_MS: retryBaseMs, RETRY_MAX_MS: retryMaxMs },
    ...{ RELAY_RATE: relay.rate, RELAY_BATCH: relay.batch, RELAY_POLL_MS: relay.pollMs },
    ...{ AMQP_DEADLINE_MS: rabbitChannel.deadlineMs, AMQP_HEARTBEAT_S: rabbitChannel.heartbeatS },
    ...{ BREAKER_WINDOW_MS: httpChannel.breakerWindowMs, DB_DEADLINE_MS: database.deadlineMs },
    ...{ BREAKER_PAUSE_MS: breaker.firstPauseMs, HTTP_PER_HOST: httpChannel.perHost },
    ...{ DB_POOL: database.poolMax, DB_LOCK_WAIT_S: database.lockWaitS, CONSUMER_BATCH: queueConsuming.batch },
    ...{ CONSUMER_PREFETCH: queueConsuming.prefetch, RETENTION_INBOX_MS: queueConsuming.retentionMs },
    ...{ RETRYING_LEASE_MS: queueConsuming.retryingLeaseMs, REDELIVERY_POLL_MS: queueConsuming.redeliveryPollMs },
  });
  expect(unknownPauseMs).toBe(retryBaseMs);
});
