import type { Transaction } from '../database/transaction.js';
import type { Trace } from '../observe/trace-context.js';
import type { Received } from './consumer-message.js';

/** One message whose effect is asked for. */
export interface EffectItem<Value> {
  readonly messageId: string;
  readonly value: Value;
  /** For the `trace` of what is accepted because of it; absent while nobody collects traces. */
  readonly trace?: Trace | undefined;
}

/**
 * What a message does to the business tables. The inbox makes it happen once per message id.
 */
export interface Effect<Value = unknown> {
  /** Names the effect in consumer_message; never changes, or what was done once could be done again. */
  readonly name: string;
  /** Attempts in all, the first included, before a person decides. More: a hopeless message is tried longer. */
  readonly maxRetryCount: number;
  /** @throws PermanentError for a body that no further attempt can read */
  read(received: Received): Value;
  /**
   * Does the effect of every item, inside the transaction that also keeps the notes.
   *
   * @throws anything: all items are rolled back, and tried again one by one. What is thrown for a single item
   *   uses one of its attempts, unless it is the database's own trouble: an item that alone meets that is put aside.
   */
  apply(trx: Transaction, items: readonly EffectItem<Value>[]): Promise<void>;
}
