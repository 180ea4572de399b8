import { afterCommit, afterRollback, isOurs, type Transaction } from '../database/transaction.js';
import { snowflakeTimeMs } from '../maintenance/snowflake.js';
import type { MessageTableEvents } from '../observe/events.js';
import { checkCommand, type CheckedCommand, type CommandLimits, type TaskCommand } from './command.js';
import type { FastPath } from './fast-path.js';
import { asClaim } from './producer-message.js';
import { insertOnce, type AcceptedBefore } from './insert-once.js';
import { onceEach } from './once-each.js';
import { headersText, type NewRow } from './store/insert.js';
import type { ClaimedMessage } from './sender.js';

export interface AcceptorOptions extends CommandLimits {
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

interface Entry {
  readonly id: string;
  readonly command: CheckedCommand;
  readonly fast: boolean;
}

/** The door of the component: leaves messages to be sent if, and only if, the caller's transaction commits. */
export class Acceptor {
  constructor(private readonly options: AcceptorOptions) {}

  async accept(trx: Transaction, command: TaskCommand): Promise<Accepted> {
    const [accepted] = await this.acceptAll(trx, [command]);
    return accepted as Accepted;
  }

  /**
   * As {@link accept}, for several messages in one statement.
   *
   * A message whose id is in the table already, in whatever state, is not written again: when it is the same command
   * its row is returned.
   *
   * @returns in the order of `commands`
   * @throws MessageTableError with what is wrong about a command, before anything is written; `MESSAGE_ID_TAKEN` when
   *   another message has its id; the driver's error
   */
  async acceptAll(trx: Transaction, commands: readonly TaskCommand[]): Promise<Accepted[]> {
    if (commands.length === 0) return [];
    const checked = commands.map((command) => checkCommand(command, this.options));
    const once = onceEach(checked);
    // All ids first: one that cannot be made must not leave places reserved.
    const ids = once.map(() => this.options.newId());
    const entries = once.map((command, index) => ({
      id: ids[index] as string,
      command,
      fast: this.mayGoFast(trx, command),
    }));
    const before = await this.insert(trx, entries);
    const idOf = new Map(entries.map(({ id, command: { messageId } }) => [messageId, before.get(messageId)?.id ?? id]));
    return checked.map(({ messageId }) => ({ id: idOf.get(messageId) as string, messageId }));
  }

  private async insert(trx: Transaction, entries: readonly Entry[]): Promise<AcceptedBefore> {
    const reserved = entries.filter((entry) => entry.fast);
    const leaseEndsMs = performance.now() + this.options.leaseMs;
    let before: AcceptedBefore;
    try {
      before = await insertOnce(
        trx,
        entries.map((entry) => this.rowOf(entry)),
      );
    } catch (error) {
      this.options.fastPath?.free(reserved.length);
      throw error;
    }
    const fast = reserved.filter(({ command }) => !before.has(command.messageId));
    this.options.fastPath?.free(reserved.length - fast.length);
    this.options.events.emit('accepted', { count: entries.length - before.size, fastPath: fast.length });
    if (fast.length > 0) this.handOverAfterCommit(trx, fast, leaseEndsMs);
    return before;
  }

  /** Only our own transactions can say that they have committed. */
  private mayGoFast(trx: Transaction, command: CheckedCommand): boolean {
    return command.delayMs === 0 && isOurs(trx) && this.options.fastPath?.reserve(command) === true;
  }

  private handOverAfterCommit(trx: Transaction, fast: readonly Entry[], leaseEndsMs: number): void {
    const { fastPath } = this.options;
    afterCommit(trx, () => fastPath?.handOver(fast.map((entry) => toClaimed(entry, leaseEndsMs))));
    afterRollback(trx, () => fastPath?.free(fast.length));
  }

  private rowOf({ id, command, fast }: Entry): NewRow {
    const { delayMs, messageId, taskName, channel, content, maxRetryCount } = command;
    const { exchange, routingKey, channelConfig } = command;
    return {
      ...{ id, messageId, taskName, channel, exchange, routingKey, channelConfig, content, maxRetryCount },
      headers: headersText(command.headers),
      status: fast ? 'SENDING' : 'PENDING',
      actsInMs: fast ? this.options.leaseMs : delayMs,
      claimedBy: fast ? this.options.claimedBy : null,
    };
  }
}

function toClaimed({ id, command }: Entry, leaseEndsMs: number): ClaimedMessage {
  const { messageId, maxRetryCount } = command;
  return {
    claim: asClaim({ id, version: 0, messageId, retryCount: 0, maxRetryCount, leaseEndsMs }),
    channel: command.channel,
    outgoing: { ...command, id, version: 0, createdMs: snowflakeTimeMs(id) },
  };
}
