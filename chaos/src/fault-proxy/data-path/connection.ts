import { connect, type Socket } from 'node:net';
import { splitAddress } from '../address.js';
import type { ProxyCounts } from '../effects.js';
import type { Direction, Toxic } from '../toxics/toxic.js';
import { Link } from './link.js';

const DIAL_DEADLINE_MS = 10_000;

export interface ConnectionHost {
  readonly upstream: string;
  readonly counts: ProxyCounts;
  /** Asked when the upstream has answered. */
  readonly toxics: readonly Toxic[];
  readonly randomFor: (toxic: Toxic) => () => number;
  readonly onClose: (connection: Connection) => void;
}

/** A client, the connection to the upstream that was opened for it, and the two directions between them. */
export class Connection {
  private links: Readonly<Record<Direction, Link>> | undefined;
  private readonly upstream: Socket;

  constructor(
    private readonly client: Socket,
    private readonly host: ConnectionHost,
  ) {
    this.upstream = this.dial();
    for (const socket of [client, this.upstream]) {
      // What went wrong is of no interest: 'close' follows, and the other side is closed.
      socket.on('error', () => undefined);
      socket.once('close', () => this.closed(socket));
    }
  }

  link(direction: Direction): Link | undefined {
    return this.links?.[direction];
  }

  /** Closes both sides at once; what was on its way is lost. */
  cut(): void {
    this.discard();
    this.client.destroy();
    this.upstream.destroy();
  }

  private dial(): Socket {
    const upstream = connect({ ...splitAddress(this.host.upstream), allowHalfOpen: true, noDelay: true });
    upstream.setTimeout(DIAL_DEADLINE_MS, () => upstream.destroy());
    upstream.once('connect', () => {
      upstream.setTimeout(0);
      this.join();
    });
    return upstream;
  }

  private join(): void {
    const { client, upstream } = this;
    const { counts, randomFor, toxics } = this.host;
    const host = { randomFor, reset: () => this.reset() };
    this.links = {
      upstream: new Link(client, upstream, counts.upstream, host),
      downstream: new Link(upstream, client, counts.downstream, host),
    };
    for (const toxic of toxics) this.links[toxic.direction].add(toxic);
    this.links.upstream.start();
    this.links.downstream.start();
  }

  private reset(): void {
    this.discard();
    this.client.resetAndDestroy();
    this.upstream.resetAndDestroy();
  }

  private discard(): void {
    this.links?.upstream.discard();
    this.links?.downstream.discard();
  }

  private closed(socket: Socket): void {
    const isClient = socket === this.client;
    if (!this.links) this.closedBeforeJoined(isClient);
    else if (isClient) this.dropTowards(this.links.downstream, this.links.upstream);
    else this.dropTowards(this.links.upstream, this.links.downstream);
    if (this.client.closed && this.upstream.closed) this.host.onClose(this);
  }

  private dropTowards(toGone: Link, fromGone: Link): void {
    toGone.discard();
    fromGone.sourceGone();
  }

  private closedBeforeJoined(isClient: boolean): void {
    if (!isClient && !this.client.destroyed) this.host.counts.unreachable++;
    this.client.destroy();
    this.upstream.destroy();
  }
}
