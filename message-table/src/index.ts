export { CONSUMER_ARROWS, PRODUCER_ARROWS, type Arrow } from './arrows.js';
export type { Channel, Outgoing } from './channels/channel.js';
export { createHttpChannel, type HttpChannelOptions } from './channels/http/index.js';
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
export { Inbox } from './consumer/inbox.js';
export { QueueConsumer, type QueueConsumerOptions } from './consumer/queue-consumer.js';
export { createRedeliveryTask } from './consumer/redelivery-task.js';
export { retryNote, type NoteActionResult, type NoteRef } from './consumer/store/actions.js';
export { databaseReadiness, databaseService } from './database/database-parts.js';
export { openDatabase, type Database } from './database/database.js';
export { duplicateKey, isDatabaseTrouble } from './database/error-kinds.js';
export { MESSAGE_TABLE_MIGRATIONS, migrate } from './database/migrate.js';
export { asNumber, byId, changeRows, selectRows, type Runner } from './database/rows.js';
export { afterCommit, runInTransaction, type Transaction } from './database/transaction.js';
export { MessageTableError, PermanentError, reasonOf, toError, type ErrorCode } from './errors.js';
export { createBacklogGuard } from './maintenance/backlog-guard.js';
export { createConsumerSweep, createProducerSweep } from './maintenance/lease-sweep.js';
export { createTableWatch } from './maintenance/table-watch.js';
export { createMessageTable, type MessageTable } from './message-table.js';
export { createEvents, type MessageTableEventMap, type MessageTableEvents } from './observe/events.js';
export { logEvents } from './observe/log-events.js';
export { measureEvents } from './observe/measure-events.js';
export type { Acceptor } from './producer/accept.js';
export {
  giveUpMessage,
  replayMessage,
  retryMessage,
  type ActionResult,
  type Person,
} from './producer/store/actions.js';
export { pause, resume, type Pause } from './producer/store/pauses.js';
export { isUsableKey, type TaskCommand } from './producer/command.js';
export { createRelay } from './relay.js';
export { createServiceParts, SERVICE_RULES, SERVICE_SETTINGS } from './service-parts.js';
export { rabbitService } from './rabbit-service.js';
export * from './service/index.js';
