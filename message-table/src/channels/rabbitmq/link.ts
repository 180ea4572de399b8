import type { Socket } from 'node:net';

import { connect, type Channel, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { closeReason, lost, type CloseReason } from './close-reason.js';
import { DeadlineError, withDeadline } from './deadline.js';
import { gatherWrites } from './gather-writes.js';
import { declareTopology, type Topology } from './topology.js';
import type { BrokerAddress } from './url.js';

const KEEPALIVE_AFTER_MS = 10_000;
const POLITE_CLOSE_MS = 1_000;

export interface LinkOptions {
  readonly connectionName: string;
  readonly deadlineMs: number;
  readonly heartbeatS: number;
}

/** One open connection to a broker, from the handshake to its end. Never reused: the next one is another Link. */
export class Link {
  /** Why it is closed; null while it is open. */
  closed: CloseReason | null = null;
  /** Why the broker reads nothing from us (an alarm); null while it does. */
  blocked: string | null = null;
  readonly whenClosed: Promise<CloseReason>;
  onBlocked: (reason: string | null) => void = () => undefined;
  private resolveClosed!: (reason: CloseReason) => void;

  constructor(
    readonly model: ChannelModel,
    private readonly socket: AbortController,
    private readonly deadlineMs: number,
  ) {
    this.whenClosed = new Promise((resolve) => (this.resolveClosed = resolve));
    // 'error' comes before the channels close and 'close' after; an orderly close has no 'error' at all.
    model.on('error', (error) => this.end(closeReason(error)));
    model.on('close', (error) => this.end(error ? closeReason(error) : lost('closed by this process')));
    model.on('blocked', (reason) => this.setBlocked(reason));
    model.on('unblocked', () => this.setBlocked(null));
  }

  /** Ends the connection without asking the broker: a polite close would wait for it. */
  destroy(reason: string): void {
    this.end(lost(reason));
    this.socket.abort(new Error(reason));
  }

  /** Says goodbye for a moment, then destroys. */
  async close(): Promise<void> {
    const goodbye = withDeadline(this.model.close(), POLITE_CLOSE_MS, 'closing the connection');
    await goodbye.catch(() => undefined);
    this.destroy('closed by this process');
  }

  /** An answer of the broker, within the deadline; a broker that gives none loses its connection. */
  async answer<T>(what: string, promise: Promise<T>, deadlineMs = this.deadlineMs): Promise<T> {
    try {
      return await withDeadline(promise, deadlineMs, what);
    } catch (error) {
      if (error instanceof DeadlineError) this.destroy(error.message);
      // What amqplib says of a lost connection ("no reply will be forthcoming") names no cause.
      throw this.closed ? new Error(this.closed.text, { cause: error }) : error;
    }
  }

  async openChannel(): Promise<Channel> {
    return quiet(await this.answer('opening a channel', this.model.createChannel()));
  }

  async openConfirmChannel(highWaterMark: number, deadlineMs?: number): Promise<ConfirmChannel> {
    const opened = this.model.createConfirmChannel({ highWaterMark });
    return quiet(await this.answer('opening a channel', opened, deadlineMs));
  }

  /** On a channel of its own, so that a refusal closes nothing else. */
  async declare(topology: Topology): Promise<void> {
    const channel = await this.openChannel();
    await this.answer('declaring the topology', declareTopology(channel, topology));
    await this.closeChannel(channel);
  }

  async closeChannel(channel: Channel): Promise<void> {
    const closed = this.attempt(() => channel.close());
    await this.answer('closing a channel', closed).catch(() => undefined);
  }

  /** The same at a stop: what was acked goes out first, and nobody waits long for the answer. */
  async leaveChannel(channel: Channel): Promise<void> {
    const closed = this.attempt(() => channel.close());
    await withDeadline(closed, POLITE_CLOSE_MS, 'leaving a channel').catch(() => undefined);
  }

  /** amqplib throws at once, instead of rejecting, where a channel is closed already. */
  private async attempt(action: () => Promise<void>): Promise<void> {
    await action();
  }

  private setBlocked(reason: string | null): void {
    if (this.closed) return;
    this.blocked = reason;
    this.onBlocked(reason);
  }

  private end(reason: CloseReason): void {
    if (this.closed) return;
    this.closed = reason;
    this.resolveClosed(reason);
    // Whatever is left of the socket (a close-ok on its way, a peer that never ends its half) gets a second.
    setTimeout(() => this.socket.abort(), POLITE_CLOSE_MS).unref();
  }
}

/** An 'error' without a listener would end the process. Who opened the channel listens for more. */
function quiet<C extends Channel>(channel: C): C {
  channel.on('error', () => undefined);
  return channel;
}

/** Connects within the deadline; `stop` ends a connect that hangs. */
export async function openLink(address: BrokerAddress, options: LinkOptions, stop: AbortSignal): Promise<Link> {
  const socket = new AbortController();
  const give = (): void => socket.abort(new Error('stopping'));
  stop.addEventListener('abort', give);
  const connected = connect(amqplibAddress(address, options.heartbeatS), socketOptions(options, socket.signal));
  // One that is ready just after it was given up must not end the process by its 'error'.
  connected.then(
    (model) => model.on('error', () => undefined),
    () => undefined,
  );
  try {
    stop.throwIfAborted();
    const model = await withDeadline(
      connected,
      options.deadlineMs,
      `connecting to ${address.hostname}:${address.port}`,
    );
    gatherWrites(socketOf(model));
    return new Link(model, socket, options.deadlineMs);
  } catch (error) {
    socket.abort();
    throw error;
  } finally {
    stop.removeEventListener('abort', give);
  }
}

/** amqplib decodes the vhost once more, also when it is given as an option. */
function amqplibAddress(address: BrokerAddress, heartbeatS: number): Parameters<typeof connect>[0] {
  return { ...address, vhost: encodeURIComponent(address.vhost), heartbeat: heartbeatS };
}

/** Not in amqplib's types either. */
const socketOf = (model: ChannelModel): Socket => (model.connection as unknown as { readonly stream: Socket }).stream;

function socketOptions(options: LinkOptions, signal: AbortSignal): Parameters<typeof connect>[1] {
  return {
    noDelay: true,
    keepAlive: true,
    keepAliveDelay: KEEPALIVE_AFTER_MS,
    clientProperties: { connection_name: options.connectionName },
    // Not in amqplib's types: it hands its options on to the socket, which a signal destroys at any stage.
    ...{ signal },
  };
}
