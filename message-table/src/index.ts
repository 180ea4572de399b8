export type { Channel, MessageAtDoor, Outgoing, StoredConfig } from './channels/channel.js';
// A star: only what is re-exported by one can be merged with from outside.
export * from './channels/channel-configs.js';
export type { HttpConfig } from './channels/http/config.js';
export { createHttpChannel, destinationFault, type HttpChannelOptions } from './channels/http/index.js';
export { answeredWithin } from './channels/answered-within.js';
export {
  busy,
  CONFIRMED,
  lacking,
  refused,
  refusedForGood,
  suspect,
  unknown,
  type Outcome,
} from './channels/outcome.js';
export {
  createRabbitChannel,
  topologyOf,
  type QueueRoute,
  type RabbitChannel,
  type RabbitChannelOptions,
  type Topology,
} from './channels/rabbitmq/index.js';
export type { RabbitConfig } from './channels/rabbitmq/config.js';
export type { Received } from './consumer/consumer-message.js';
export type { Effect, EffectItem } from './consumer/effect.js';
export type { Ending } from './consumer/ending.js';
export { HttpIntake, type HttpIntakeOptions, type TakenIn } from './consumer/http-intake.js';
export { httpToReceived } from './consumer/http-received.js';
export { Inbox, type InboxOptions } from './consumer/inbox.js';
export { createRedeliveryTask, type RedeliveryOptions } from './consumer/redelivery-task.js';
export { retryNote, type NoteActionResult, type NoteRef } from './consumer/store/actions.js';
export { currentTransaction, outsideTransactions } from './database/current-transaction.js';
export { databaseReadiness, databaseService } from './database/database-parts.js';
export { openDatabase, type Database, type DatabaseOptions } from './database/database.js';
export { duplicateKey, isDatabaseTrouble } from './database/error-kinds.js';
export { fromConnection, type AnyTransaction, type ForeignTransaction } from './database/foreign-transaction.js';
export { MESSAGE_TABLE_MIGRATIONS, migrate, type MigrateOptions } from './database/migrate.js';
export { afterCommit, runInTransaction, type Transaction, type TransactionOptions } from './database/transaction.js';
export { localTaskMessage, type UsesMessageTable } from './decorator/local-task-message.js';
export { MessageTableError, PermanentError, type ErrorCode } from './errors.js';
export { createBacklogGuard } from './maintenance/backlog-guard.js';
export type { ArchivePolicy } from './maintenance/archive-task.js';
export { createConsumerSweep } from './maintenance/lease-sweep.js';
export { createTableWatch } from './maintenance/table-watch.js';
export { workerIdReadiness } from './maintenance/worker-id-readiness.js';
export { createMessageTable, type MessageTable, type MessageTableOptions } from './message-table.js';
export { createEvents, type MessageTableEventMap, type MessageTableEvents } from './observe/events.js';
export { logEvents } from './observe/log-events.js';
export { measureEvents } from './observe/measure-events.js';
export type { Trace } from './observe/trace-context.js';
export { traceRequest } from './observe/trace-request.js';
export { currentTrace } from './observe/tracer.js';
export type { Accepted, Acceptor } from './producer/accept.js';
export type { BreakerOptions } from './producer/destinations.js';
export type { TaskGroup } from './producer/groups/task-group.js';
export {
  giveUpMessage,
  replayMessage,
  retryMessage,
  type ActionResult,
  type Person,
} from './producer/store/actions.js';
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from './producer/store/retry-policy.js';
export { listPauses, pause, resume, type ListedPause, type Pause } from './producer/store/pauses.js';
export type { TaskCommand, TaskCommandFor } from './producer/command.js';
export { CHANNEL_SETTINGS, openChannels, type OpenChannels, type OpenChannelsOptions } from './open-channels.js';
export { createQueueConsuming, type QueueConsuming, type QueueConsumingOptions } from './queue-consuming.js';
export { createRelay, type RelayOptions } from './relay.js';
export {
  createServiceParts,
  SERVICE_RULES,
  SERVICE_SETTINGS,
  type Consumption,
  type ServiceParts,
  type ServicePartsOptions,
} from './service-parts.js';
export { rabbitService } from './rabbit-service.js';
export * from './service/index.js';
export { isUsableKey } from './usable-key.js';
