import type { MessageTableEvents } from '../../observe/events.js';
import { backoffMs, restMs } from './backoff.js';
import { closeReason, lost, type CloseReason } from './close-reason.js';
import { openLink, type Link } from './link.js';
import type { Topology } from './topology.js';
import { parseBrokerUrls, type BrokerAddress } from './url.js';

/** A connection that held this long ended by an event of its own, not by what ended the one before. */
const STEADY_MS = 5_000;

export interface RabbitConnectionOptions {
  /** `AMQP_URL`: one or several, separated by commas, tried in turn. */
  readonly urls: string;
  /** Declared after every connect, before anything else. */
  readonly topology: Topology;
  /** Where the connection tells what happens. */
  readonly events: MessageTableEvents;
  /** What operators see in `rabbitmqctl list_connections client_properties`. */
  readonly connectionName: string;
  /** For connecting and for every answer of the broker. */
  readonly deadlineMs: number;
  /** Shorter finds a dead broker sooner, and costs packets. */
  readonly heartbeatS: number;
}

/** What a user of the connection does with each new link; a failure gives the link up. */
export type Setup = (link: Link) => Promise<void>;

/**
 * A connection that is always there or on its way back: one loop connects, declares the topology, runs the
 * setups and waits for the end, so there is never a second attempt beside the first.
 */
export class RabbitConnection {
  private readonly addresses: readonly BrokerAddress[];
  private readonly setups: Setup[] = [];
  private readonly lostListeners: ((reason: CloseReason) => void)[] = [];
  private readonly stopping = new AbortController();
  private link: Link | null = null;
  private lastClose: CloseReason | null = null;
  private running: Promise<void> = Promise.resolve();
  private nextAddress = 0;

  /** @throws Error when `urls` cannot be read; the text is fit for logs. */
  constructor(readonly options: RabbitConnectionOptions) {
    this.addresses = parseBrokerUrls(options.urls);
  }

  /** Called for every link, in the order of registration. Register before {@link start}. */
  onOpen(setup: Setup): void {
    this.setups.push(setup);
  }

  /** Called when an open link ended and when an attempt to open one failed. */
  onLost(listener: (reason: CloseReason) => void): void {
    this.lostListeners.push(listener);
  }

  /** The link, once it is set up and as long as it is open. */
  current(): Link | null {
    return this.link && !this.link.closed ? this.link : null;
  }

  /** Why the last link ended, or the last attempt failed; null while there was none. */
  lastCloseReason(): CloseReason | null {
    return this.lastClose;
  }

  start(): void {
    this.running = this.run();
  }

  /** Ends within a second or so, whatever the broker does. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Gives the present link up without asking the broker; the loop brings the next one. */
  destroy(reason: string): void {
    this.link?.destroy(reason);
  }

  private async run(): Promise<void> {
    const stop = this.stopping.signal;
    let attempt = 0;
    while (!stop.aborted) {
      const openedMs = performance.now();
      await this.oneLink();
      attempt = performance.now() - openedMs > STEADY_MS ? 1 : attempt + 1;
      this.nextAddress += 1;
      await restMs(backoffMs(attempt), stop);
    }
  }

  /** From the connect to the end of one link; never rejects. */
  private async oneLink(): Promise<void> {
    const { events, connectionName: connection } = this.options;
    const reason = await this.openAndHold().catch(closeReason);
    this.lastClose = reason;
    this.link = null;
    if (this.stopping.signal.aborted) return;
    events.emit('brokerLost', { connection, reason: reason.text, code: reason.code });
    for (const listener of this.lostListeners) listener(reason);
  }

  private async openAndHold(): Promise<CloseReason> {
    const { topology, events, connectionName: connection } = this.options;
    const stop = this.stopping.signal;
    const link = await openLink(this.address(), this.options, stop);
    const closing = (): void => void link.close();
    stop.addEventListener('abort', closing);
    try {
      await link.declare(topology);
      this.link = link;
      for (const setup of this.setups) await setup(link);
      if (stop.aborted) return lost('stopping');
      events.emit('brokerConnected', { connection });
      return await link.whenClosed;
    } finally {
      stop.removeEventListener('abort', closing);
      await link.close();
    }
  }

  private address(): BrokerAddress {
    const address = this.addresses[this.nextAddress % this.addresses.length];
    if (!address) throw new Error('no broker address');
    return address;
  }
}
