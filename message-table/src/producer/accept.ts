import type { AnyTransaction } from '../database/foreign-transaction.js';
import type { HomeDatabase } from '../database/home-database.js';
import { StatementBytes } from '../database/statement-bytes.js';
import { afterCommit, afterRollback, isOurs, type Transaction } from '../database/transaction.js';
import type { MessageTableEvents } from '../observe/events.js';
import { traceAccepts } from '../observe/trace-accept.js';
import { checkCommand, type CheckedCommand, type CommandLimits, type TaskCommand } from './command.js';
import type { FastPath } from './fast-path.js';
import { insertOnce, type AcceptedBefore } from './insert-once.js';
import { claimedOf, rowOf, type NewMessage } from './new-message.js';
import { onceEach } from './once-each.js';

export interface AcceptorOptions extends Omit<CommandLimits, 'statementBytes'> {
  /** Where the message table is. */
  readonly home: HomeDatabase;
  readonly events: MessageTableEvents;
  readonly newId: () => string;
  /** Null: every message waits for a relay. */
  readonly fastPath: FastPath | null;
  readonly leaseMs: number;
  readonly claimedBy: string;
}

export interface Accepted {
  readonly id: string;
  readonly messageId: string;
}

/** The door of the component: leaves messages to be sent if, and only if, the caller's transaction commits. */
export class Acceptor {
  private readonly statementBytes = new StatementBytes();

  constructor(private readonly options: AcceptorOptions) {}

  /** @param trx of {@link runInTransaction}; or any other, whose COMMIT nobody sees here, so that a relay sends the message */
  async accept(trx: AnyTransaction, command: TaskCommand): Promise<Accepted> {
    const [accepted] = await this.acceptAll(trx, [command]);
    return accepted as Accepted;
  }

  /**
   * As {@link accept}, for several messages in as few statements as the server can hold.
   *
   * A message whose id is in the table already, in whatever state, is not written again: when it is the same command
   * its row is returned.
   *
   * @returns in the order of `commands`
   * @throws MessageTableError with what is wrong about a command, before anything is written; `MESSAGE_ID_TAKEN` when
   *   another message has its id; `NO_TRANSACTION`, `TRANSACTION_ENDED`, `TRANSACTION_ELSEWHERE`; the driver's error
   */
  async acceptAll(trx: AnyTransaction, commands: readonly TaskCommand[]): Promise<Accepted[]> {
    if (commands.length === 0) return [];
    await this.options.home.assertOpenHere(trx);
    const limits = { ...this.options, statementBytes: await this.statementBytes.of(trx) };
    const check = (command: TaskCommand): CheckedCommand => checkCommand(command, limits);
    return traceAccepts(commands, check, (checked) => this.acceptChecked(trx, checked));
  }

  private async acceptChecked(trx: AnyTransaction, checked: readonly CheckedCommand[]): Promise<Accepted[]> {
    // All ids first: one that cannot be made must not leave places reserved.
    const withIds = onceEach(checked).map((command) => ({ id: this.options.newId(), command }));
    const entries = withIds.map(({ id, command }) => ({ id, command, fast: this.mayGoFast(trx, command) }));
    const before = await this.insert(trx, entries);
    const idOf = new Map(entries.map(({ id, command: { messageId } }) => [messageId, before.get(messageId)?.id ?? id]));
    return checked.map(({ messageId }) => ({ id: idOf.get(messageId) as string, messageId }));
  }

  private async insert(trx: AnyTransaction, entries: readonly NewMessage[]): Promise<AcceptedBefore> {
    const rows = entries.map((entry) => rowOf(entry, this.options));
    let reserved = entries.filter((entry) => entry.fast);
    const leaseEndsMs = performance.now() + this.options.leaseMs;
    try {
      const before = await insertOnce(trx, rows, isOurs(trx) ? 'ours' : 'foreign', this.statementBytes);
      const fast = reserved.filter(({ command }) => !before.has(command.messageId));
      if (fast.length > 0) this.handOverAfterCommit(trx as Transaction, fast, leaseEndsMs);
      reserved = reserved.filter(({ command }) => before.has(command.messageId));
      this.options.events.emit('accepted', { count: entries.length - before.size, fastPath: fast.length });
      return before;
    } finally {
      // What was not handed over.
      this.options.fastPath?.free(reserved.map(({ command }) => command));
    }
  }

  /** Only our own transactions can say that they have committed. */
  private mayGoFast(trx: AnyTransaction, command: CheckedCommand): boolean {
    return command.delayMs === 0 && isOurs(trx) && this.options.fastPath?.reserve(command) === true;
  }

  private handOverAfterCommit(trx: Transaction, fast: readonly NewMessage[], leaseEndsMs: number): void {
    const { fastPath } = this.options;
    const messages = fast.map((entry) => claimedOf(entry, leaseEndsMs));
    afterCommit(trx, (partUndone) => fastPath?.handOver(messages, partUndone));
    afterRollback(trx, () => fastPath?.free(fast.map(({ command }) => command)));
  }
}
