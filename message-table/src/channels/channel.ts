import type { Outcome } from './outcome.js';

/** Where a message goes, as its columns hold it: this much a channel may keep of a command's `config`. */
export interface StoredConfig {
  /** At most 100 printable ASCII characters; '' when the channel has no such thing. */
  readonly exchange: string;
  /** Likewise. */
  readonly routingKey: string;
  /** JSON text of at most 64 KiB, never a secret; null when exchange and routing key say it all. */
  readonly channelConfig: string | null;
}

/** One message on its way out: what the row says, and the claim it is sent under. */
export interface Outgoing extends StoredConfig {
  /** The row's id, a snowflake in decimal. */
  readonly id: string;
  /** The version of the claim; `<id>:<version>` names this attempt. */
  readonly version: number;
  readonly messageId: string;
  readonly taskName: string;
  /** Sent byte for byte as UTF-8. */
  readonly content: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When the message was accepted, milliseconds since 1970 on the database's clock. */
  readonly createdMs: number;
}

/** What a channel sees of a command at the door, beside its config. */
export interface MessageAtDoor {
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A way for messages to leave: RabbitMQ, HTTP, or one that a service registers.
 *
 * `send` and `sendAlone` never reject: every ending is an {@link Outcome}, at the latest
 * after the attempt's time-out.
 */
export interface Channel {
  /** Stands in the column `channel`: at most 20 printable ASCII characters, no blanks. */
  readonly name: string;
  /** False while nothing should be sent: rows are then parked and the fast path is not used. */
  isUp(): boolean;
  /**
   * Looks at a command before anything is written. Synchronous, without looking anything up.
   *
   * @param config as it was given, of any type
   * @throws MessageTableError `CHANNEL_CONFIG_INVALID`, `HEADERS_INVALID`, or a code of the channel's own
   */
  checkConfig(config: unknown, message: MessageAtDoor): StoredConfig;
  /** Names the destination within the channel: what a breaker, a pause and people mean by it. Printable ASCII. */
  destinationOf(stored: StoredConfig): string;
  /** Sends with others in flight. */
  send(message: Outgoing): Promise<Outcome>;
  /** Sends with nothing else in its company, so that a cut line points at this message alone. */
  sendAlone(message: Outgoing): Promise<Outcome>;
}
