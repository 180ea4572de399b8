import { CHANNELS } from './channel-settings.js';
import { RELAY_SETTINGS } from './relay-settings.js';
import { databaseUrl, httpUrl, integer, oneOf, switchedOn } from './setting-types.js';
import type { Rule, Values } from './settings.js';
import { SHARD_SETTINGS } from './shard-settings.js';

/** Settings that more than one kind of process reads; a process picks what it needs. */
export const SETTINGS = {
  PORT: { type: integer(1, 65_535), help: 'where HTTP listens, on 127.0.0.1' },
  LISTEN_HOST: { type: oneOf('127.0.0.1', '0.0.0.0'), fallback: '127.0.0.1', help: '0.0.0.0 inside a container only' },
  LOG_LEVEL: {
    type: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    fallback: 'info',
    help: 'debug writes a line for each unanswered attempt',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: httpUrl,
    fallback: '',
    help: 'the collector of traces, http://host:4318; without it nothing is traced. OTEL_TRACES_SAMPLER, OTEL_BSP_… and the like are read by the SDK itself',
  },
  DB_URL: { type: databaseUrl, help: 'the database of the messages, mysql://…' },
  ORDER_DB_URL: { type: databaseUrl, help: 'the order database, mysql://…' },
  INVENTORY_DB_URL: { type: databaseUrl, help: 'the inventory database, mysql://…' },
  ...SHARD_SETTINGS,
  ...CHANNELS,
  ORDER_CHANNEL: { type: oneOf('rabbitmq', 'http'), fallback: 'rabbitmq', help: 'the way that deductions take' },
  INVENTORY_URL: { type: httpUrl, fallback: '', help: 'http://host:port, where ORDER_CHANNEL=http sends deductions' },
  DB_POOL: {
    type: integer(4, 500),
    unit: 'connections',
    fallback: '12',
    help: 'more lets more transactions run at once; the server holds each',
  },
  DB_DEADLINE_MS: {
    type: integer(100, 600_000),
    unit: 'ms',
    fallback: '10000',
    help: 'a statement that takes longer loses its connection',
  },
  DB_LOCK_WAIT_S: {
    type: integer(1, 300),
    unit: 's',
    fallback: '5',
    help: 'how long a statement waits for a row lock',
  },
  AMQP_HEARTBEAT_S: {
    type: integer(1, 600),
    unit: 's',
    fallback: '10',
    help: 'shorter finds a dead broker sooner, and costs packets',
  },
  AMQP_DEADLINE_MS: {
    type: integer(100, 600_000),
    unit: 'ms',
    fallback: '5000',
    help: 'connecting and every broker call end after this',
  },
  SENDING_LEASE_MS: {
    type: integer(500, 3_600_000),
    unit: 'ms',
    fallback: '30000',
    help: 'how long a claim is good for; longer: messages of a dead process wait longer; shorter: more are sent twice',
  },
  ATTEMPT_TIMEOUT_MS: {
    type: integer(100, 600_000),
    unit: 'ms',
    fallback: '5000',
    help: 'how long one attempt to send waits for its answer',
  },
  MAX_RETRY_COUNT: {
    type: integer(1, 1_000),
    unit: 'attempts',
    fallback: '5',
    help: 'refused attempts in all before a person decides',
  },
  RETRY_BASE_MS: {
    type: integer(1, 3_600_000),
    unit: 'ms',
    fallback: '2000',
    help: 'the first gap between attempts; doubles each time',
  },
  RETRY_MAX_MS: {
    type: integer(1, 86_400_000),
    unit: 'ms',
    fallback: '7200000',
    help: 'the longest gap between attempts',
  },
  MAX_CONTENT_BYTES: {
    type: integer(1, 4_194_304),
    unit: 'bytes',
    fallback: '1048576',
    help: "larger contents are refused at the door, and what is larger than a quarter of the server's max_allowed_packet",
  },
  FAST_PATH: { type: switchedOn, fallback: 'on', help: 'off leaves every message to the relay' },
  FAST_PATH_QUEUE: {
    type: integer(1, 100_000),
    unit: 'messages',
    fallback: '1000',
    help: 'of each channel held in memory on the fast path at most; what finds no place is left to the relay',
  },
  ...RELAY_SETTINGS,
  CONSUMER_BATCH: { type: integer(1, 5_000), unit: 'messages', fallback: '200', help: 'in one transaction at most' },
  CONSUMER_PREFETCH: {
    type: integer(1, 10_000),
    unit: 'messages',
    fallback: '400',
    help: 'delivered and not acknowledged at most',
  },
  RETRYING_LEASE_MS: {
    type: integer(500, 3_600_000),
    unit: 'ms',
    fallback: '30000',
    help: 'how long a redelivery may take before another may try',
  },
  REDELIVERY_POLL_MS: {
    type: integer(10, 60_000),
    unit: 'ms',
    fallback: '500',
    help: 'rest of an idle redelivery task',
  },
  REDELIVERY: {
    type: oneOf('in-place', 'republish'),
    fallback: 'in-place',
    help: 'republish sends what failed through its queue again instead of handling it where it is',
  },
  RETENTION_INBOX_MS: {
    type: integer(1_000, 315_360_000_000),
    unit: 'ms',
    fallback: '604800000',
    help: 'how long notes of consumed messages are kept; an older message does not take effect any more',
  },
  RETENTION_SENT_MS: {
    type: integer(1_000, 315_360_000_000),
    unit: 'ms',
    fallback: '3600000',
    help: 'how long sent messages stay in the live table before they go to the archive; a message_id is unique that long',
  },
  RETENTION_ARCHIVE_DAYS: {
    type: integer(1, 3_650),
    unit: 'days',
    fallback: '30',
    help: 'how long the archive keeps what has left the live table; dropped by whole days',
  },
  MAX_BACKLOG: {
    type: integer(0, 1_000_000_000),
    unit: 'messages',
    fallback: '0',
    help: 'more waiting messages than this: orders are answered 429; 0 for off',
  },
  DRAIN_MS: {
    type: integer(0, 600_000),
    unit: 'ms',
    fallback: '10000',
    help: 'how long a stopping process finishes what it holds',
  },
} as const;

type Picked<Name extends keyof typeof SETTINGS> = Pick<typeof SETTINGS, Name>;

/** The named ones, for {@link readSettings}. */
export const pick = <Name extends keyof typeof SETTINGS>(...names: readonly Name[]): Picked<Name> =>
  Object.fromEntries(names.map((name) => [name, SETTINGS[name]])) as unknown as Picked<Name>;

export const leaseOutlivesAttempts: Rule<Picked<'SENDING_LEASE_MS' | 'ATTEMPT_TIMEOUT_MS'>> = (values) =>
  values.SENDING_LEASE_MS >= 2 * values.ATTEMPT_TIMEOUT_MS
    ? null
    : 'SENDING_LEASE_MS must be at least twice ATTEMPT_TIMEOUT_MS, or a slow attempt outlives its lease and is sent twice';

export const leaseOutlivesBatch: Rule<
  Picked<'SENDING_LEASE_MS' | 'ATTEMPT_TIMEOUT_MS' | 'RELAY_BATCH' | 'RELAY_RATE'>
> = (values) => {
  const batchMs = values.RELAY_RATE === 0 ? 0 : (values.RELAY_BATCH / values.RELAY_RATE) * 1000;
  const needed = Math.ceil(2 * (values.ATTEMPT_TIMEOUT_MS + batchMs));
  return values.SENDING_LEASE_MS >= needed
    ? null
    : `SENDING_LEASE_MS must be at least ${String(needed)}: twice ATTEMPT_TIMEOUT_MS and the time that RELAY_BATCH takes at RELAY_RATE`;
};

export const retryGrows: Rule<Picked<'RETRY_BASE_MS' | 'RETRY_MAX_MS'>> = (values) =>
  values.RETRY_BASE_MS <= values.RETRY_MAX_MS ? null : 'RETRY_BASE_MS must not be larger than RETRY_MAX_MS';

export const prefetchFillsBatch: Rule<Picked<'CONSUMER_BATCH' | 'CONSUMER_PREFETCH'>> = (values) =>
  values.CONSUMER_PREFETCH >= values.CONSUMER_BATCH
    ? null
    : 'CONSUMER_PREFETCH must be at least CONSUMER_BATCH, or a batch can never fill';

export function retriesTakeMs(values: Values<Picked<'MAX_RETRY_COUNT' | 'RETRY_BASE_MS' | 'RETRY_MAX_MS'>>): number {
  const gaps = Array.from({ length: values.MAX_RETRY_COUNT - 1 }, (_, index) =>
    Math.min(values.RETRY_BASE_MS * 2 ** index, values.RETRY_MAX_MS),
  );
  return gaps.reduce((sum, gap) => sum + gap, 0);
}

/** A message on its way holds a connection in intake, settle, consumption and each loop. */
export const poolHasRoom: Rule<Picked<'DB_POOL'>> = (values) =>
  values.DB_POOL >= POOL_NEEDED
    ? null
    : `DB_POOL must be at least ${String(POOL_NEEDED)}: intake 4, settle 2, consumers 2, loops 2`;

const POOL_NEEDED = 10;

/** A message on its last attempt must still find the notes of the time when it was accepted. */
export const retentionOutlivesRetries: Rule<
  Picked<'RETENTION_INBOX_MS' | 'MAX_RETRY_COUNT' | 'RETRY_BASE_MS' | 'RETRY_MAX_MS'>
> = (values) => {
  const needed = 2 * retriesTakeMs(values);
  return values.RETENTION_INBOX_MS >= needed
    ? null
    : `RETENTION_INBOX_MS must be at least ${String(needed)}: twice the time that MAX_RETRY_COUNT attempts take, or a late one could take effect again`;
};
