import type { Channel } from './channels/channel.js';
import type { Topology } from './channels/rabbitmq/index.js';
import type { RabbitChannel } from './channels/rabbitmq/index.js';
import type { Effect } from './consumer/effect.js';
import { databaseService } from './database/database-parts.js';
import { openDatabase, type Database } from './database/database.js';
import { MESSAGE_TABLE_MIGRATIONS } from './database/migrate.js';
import { createMessageTable, type MessageTable } from './message-table.js';
import { MessageTableError } from './errors.js';
import { CHANNEL_SETTINGS, openChannels } from './open-channels.js';
import { createQueueConsuming, type QueueConsuming } from './queue-consuming.js';
import type { RetryPolicy } from './producer/store/retry-policy.js';
import { privateIsAllowed, someChannel, windowEndsBeforeAttempts } from './service/channel-rules.js';
import {
  leaseOutlivesAttempts,
  pick,
  poolHasRoom,
  prefetchFillsBatch,
  retentionOutlivesRetries,
  retryGrows,
} from './service/common-settings.js';
import type { Service } from './service/lifecycle.js';
import { migrationService, type ProcessContext } from './service/run-main.js';
import type { Rule, SettingTable, Values } from './service/settings.js';

const OWN_SETTINGS = pick(
  'LISTEN_HOST',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'FAST_PATH',
  'FAST_PATH_QUEUE',
  'MAX_CONTENT_BYTES',
  'MAX_RETRY_COUNT',
  'RETRY_BASE_MS',
  'RETRY_MAX_MS',
  'SENDING_LEASE_MS',
  'CONSUMER_BATCH',
  'CONSUMER_PREFETCH',
  'RETRYING_LEASE_MS',
  'REDELIVERY_POLL_MS',
  'REDELIVERY',
  'RETENTION_INBOX_MS',
  'RETENTION_ARCHIVE_DAYS',
  'WORKER_IDS',
  'DB_POOL',
  'DB_DEADLINE_MS',
  'DB_LOCK_WAIT_S',
  'DRAIN_MS',
);
/** The settings of a service that produces and consumes; it adds its own database's URL and port. */
export const SERVICE_SETTINGS = { ...CHANNEL_SETTINGS, ...OWN_SETTINGS };

export const SERVICE_RULES: readonly Rule<typeof SERVICE_SETTINGS>[] = [
  leaseOutlivesAttempts,
  retryGrows,
  prefetchFillsBatch,
  poolHasRoom,
  retentionOutlivesRetries,
  someChannel,
  privateIsAllowed,
  windowEndsBeforeAttempts,
];

export interface Consumption {
  /** The queue that is consumed. */
  readonly queue: string;
  /** Where the broker puts what it gives up delivering; read, and kept as notes that are tried again. */
  readonly deadQueue: string;
  /** What a message does. */
  readonly effect: Effect;
}

export interface ServiceParts {
  readonly db: Database;
  /** Null without AMQP_URL. */
  readonly rabbit: RabbitChannel | null;
  readonly messages: MessageTable;
  /** In the order in which they are to be started, before everything that uses them. */
  readonly services: readonly Service[];
  /**
   * Starts to consume one queue; call it once for each, and start what it returns after {@link services}.
   *
   * @throws MessageTableError `SETTINGS_INVALID` without AMQP_URL
   */
  consume(consumption: Consumption): QueueConsuming;
}

export interface ServicePartsOptions {
  /** `mysql://…`, of the database with the business tables; it gets the message tables as well. */
  readonly databaseUrl: string;
  /** Declared after every connect to the broker, by every process alike. */
  readonly topology: Topology;
  /** The folder of the service's own migrations, applied after the component's. */
  readonly migrations: string;
  /** Channels of the service's own, beside those that the settings ask for. */
  readonly channels?: readonly Channel[];
}

type Context<Table extends SettingTable> = Pick<ProcessContext<Table>, 'settings' | 'events' | 'log' | 'processName'>;
type Shared = Values<typeof SERVICE_SETTINGS>;

/** The component as a service uses it: its database, its producing half, and its consuming half for any queue. */
export function createServiceParts<Table extends SettingTable>(
  context: Context<Table>,
  options: ServicePartsOptions,
): ServiceParts {
  const { events, log, processName } = context;
  const { databaseUrl, topology, migrations } = options;
  const s = context.settings as unknown as Shared;
  const db = openDatabase({
    url: databaseUrl,
    events,
    poolMax: s.DB_POOL,
    deadlineMs: s.DB_DEADLINE_MS,
    lockWaitS: s.DB_LOCK_WAIT_S,
  });
  const opened = openChannels(s, { topology, events, connectionName: `${processName} publish` });
  const { rabbit } = opened;
  const channels = [...opened.channels, ...(options.channels ?? [])];
  const messages = createMessageTable({ ...producing(s), db, channels, processName });
  return {
    db,
    rabbit,
    messages,
    services: [
      databaseService(db),
      migrationService(databaseUrl, [MESSAGE_TABLE_MIGRATIONS, migrations], log),
      ...opened.services,
      ...messages.services,
    ],
    consume: (consumption) => {
      if (rabbit === null)
        throw new MessageTableError('SETTINGS_INVALID', `AMQP_URL: ${consumption.queue} is consumed`);
      return createQueueConsuming({
        ...{ ...consuming(s), ...consumption, topology, db, processName },
        republishBy: s.REDELIVERY === 'republish' ? rabbit : null,
      });
    },
  };
}

const retryPolicy = (s: Shared): RetryPolicy => ({
  retryBaseMs: s.RETRY_BASE_MS,
  retryMaxMs: s.RETRY_MAX_MS,
  unknownPauseMs: s.RETRY_BASE_MS,
});

const producing = (s: Shared) => ({
  retry: retryPolicy(s),
  leaseMs: s.SENDING_LEASE_MS,
  attemptTimeoutMs: s.ATTEMPT_TIMEOUT_MS,
  maxContentBytes: s.MAX_CONTENT_BYTES,
  maxRetryCount: s.MAX_RETRY_COUNT,
  workerIds: s.WORKER_IDS,
  fastPathPlaces: s.FAST_PATH ? s.FAST_PATH_QUEUE : 0,
  breaker: { firstPauseMs: s.BREAKER_PAUSE_MS },
});

const consuming = (s: Shared) => ({
  retry: retryPolicy(s),
  amqpUrls: s.AMQP_URL,
  deadlineMs: s.AMQP_DEADLINE_MS,
  heartbeatS: s.AMQP_HEARTBEAT_S,
  batch: s.CONSUMER_BATCH,
  prefetch: s.CONSUMER_PREFETCH,
  retryingLeaseMs: s.RETRYING_LEASE_MS,
  redeliveryPollMs: s.REDELIVERY_POLL_MS,
  retentionMs: s.RETENTION_INBOX_MS,
  archiveDays: s.RETENTION_ARCHIVE_DAYS,
});
