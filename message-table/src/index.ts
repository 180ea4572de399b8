export { CONSUMER_ARROWS, PRODUCER_ARROWS, type Arrow } from './arrows.js';
export type { Channel, MessageAtDoor, Outgoing, StoredConfig } from './channels/channel.js';
// A star: only what is re-exported by one can be merged with from outside.
export * from './channels/channel-configs.js';
export { createHttpChannel, hostPortOf, type HttpChannelOptions } from './channels/http/index.js';
export { answeredWithin } from './channels/answered-within.js';
export { CONFIRMED, refused, refusedForGood, suspect, unknown, type Outcome } from './channels/outcome.js';
export {
  createRabbitChannel,
  RabbitConnection,
  subscribe,
  type Delivery,
  type RabbitChannel,
  type Subscription,
  type Topology,
} from './channels/rabbitmq/index.js';
export type { Received } from './consumer/consumer-message.js';
export type { Effect, EffectItem } from './consumer/effect.js';
export type { Ending } from './consumer/ending.js';
export { HttpIntake, type TakenIn } from './consumer/http-intake.js';
export { httpToReceived } from './consumer/http-received.js';
export { Inbox } from './consumer/inbox.js';
export { QueueConsumer, type QueueConsumerOptions } from './consumer/queue-consumer.js';
export { createRedeliveryTask } from './consumer/redelivery-task.js';
export { retryNote, type NoteActionResult, type NoteRef } from './consumer/store/actions.js';
export { currentTransaction, outsideTransactions } from './database/current-transaction.js';
export { databaseReadiness, databaseService } from './database/database-parts.js';
export { openDatabase, type Database } from './database/database.js';
export { duplicateKey, isDatabaseTrouble } from './database/error-kinds.js';
export { fromConnection, type AnyTransaction, type ForeignTransaction } from './database/foreign-transaction.js';
export { MESSAGE_TABLE_MIGRATIONS, migrate } from './database/migrate.js';
export { asNumber, byId, changeRows, selectRows, type Runner } from './database/rows.js';
export { afterCommit, runInTransaction, type Transaction } from './database/transaction.js';
export { localTaskMessage, type UsesMessageTable } from './decorator/local-task-message.js';
export { MessageTableError, PermanentError, reasonOf, toError, type ErrorCode } from './errors.js';
export { createBacklogGuard } from './maintenance/backlog-guard.js';
export { createConsumerSweep, createProducerSweep } from './maintenance/lease-sweep.js';
export { firstIdAt } from './maintenance/snowflake.js';
export { createTableWatch } from './maintenance/table-watch.js';
export { createMessageTable, type MessageTable } from './message-table.js';
export { createEvents, type MessageTableEventMap, type MessageTableEvents } from './observe/events.js';
export { logEvents } from './observe/log-events.js';
export { measureEvents } from './observe/measure-events.js';
export type { Acceptor } from './producer/accept.js';
export type { TaskGroup } from './producer/groups/task-group.js';
export {
  giveUpMessage,
  replayMessage,
  retryMessage,
  type ActionResult,
  type Person,
} from './producer/store/actions.js';
export { listPauses, pause, resume, type ListedPause, type Pause } from './producer/store/pauses.js';
export type { TaskCommand, TaskCommandFor } from './producer/command.js';
export { CHANNEL_SETTINGS, openChannels, type OpenChannels } from './open-channels.js';
export { createRelay } from './relay.js';
export { createServiceParts, SERVICE_RULES, SERVICE_SETTINGS } from './service-parts.js';
export { rabbitService } from './rabbit-service.js';
export * from './service/index.js';
export { isUsableKey } from './usable-key.js';
