import type { Outcome } from './outcome.js';

/** One message on its way out: what the row says, and the claim it is sent under. */
export interface Outgoing {
  /** The row's id, a snowflake in decimal. */
  readonly id: string;
  /** The version of the claim; `<id>:<version>` names this attempt. */
  readonly version: number;
  readonly messageId: string;
  readonly taskName: string;
  readonly exchange: string;
  readonly routingKey: string;
  /** The channel's own configuration as stored, JSON text; null for rabbitmq. */
  readonly channelConfig: string | null;
  /** Sent byte for byte as UTF-8. */
  readonly content: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When the message was accepted, milliseconds since 1970 on the database's clock. */
  readonly createdMs: number;
}

/**
 * A way for messages to leave: RabbitMQ, HTTP, or one that a service registers.
 *
 * `send` and `sendAlone` never reject: every ending is an {@link Outcome}, at the latest
 * after the attempt's time-out.
 */
export interface Channel {
  readonly name: string;
  /** False while nothing should be sent: rows are then parked and the fast path is not used. */
  isUp(): boolean;
  /** Sends with others in flight. */
  send(message: Outgoing): Promise<Outcome>;
  /** Sends with nothing else in its company, so that a cut line points at this message alone. */
  sendAlone(message: Outgoing): Promise<Outcome>;
}
