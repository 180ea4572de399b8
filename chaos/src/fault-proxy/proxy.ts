import type { Server, Socket } from 'node:net';
import { joinAddress, resolveListen } from './address.js';
import { Connection } from './data-path/connection.js';
import { noCounts, type ProxyCounts } from './effects.js';
import { addressOf, close, listen } from './listener.js';
import { randomFrom } from './random.js';
import { Toxics } from './toxics.js';
import type { Toxic } from './toxics/toxic.js';

export interface ProxyAddresses {
  listen: string;
  upstream: string;
}

/** One listener, its connections and its toxics. Calls that start or stop it must not overlap. */
export class Proxy {
  readonly counts: ProxyCounts = noCounts();
  readonly connections = new Set<Connection>();
  readonly toxics: Toxics;
  private server: Server | undefined;

  constructor(
    readonly name: string,
    private readonly seed: number,
    private addresses: ProxyAddresses,
  ) {
    this.toxics = new Toxics(this.connections);
  }

  get listen(): string {
    return this.addresses.listen;
  }

  get upstream(): string {
    return this.addresses.upstream;
  }

  get isEnabled(): boolean {
    return this.server !== undefined;
  }

  /** Rejects, and stays stopped, when the port cannot be had. */
  async start(): Promise<void> {
    if (this.server) return;
    this.server = await listen(await resolveListen(this.listen), (client) => this.accept(client));
    this.addresses.listen = addressOf(this.server);
  }

  /** Closes every connection; the port is free afterwards. */
  async stop(): Promise<void> {
    const server = this.server;
    if (!server) return;
    this.server = undefined;
    const closed = close(server);
    this.counts.cut += this.connections.size;
    for (const connection of this.connections) connection.cut();
    await closed;
  }

  /** Whether these are the addresses it has: then moving there would drop connections for nothing. */
  async isAt({ listen: text, upstream }: ProxyAddresses): Promise<boolean> {
    if (upstream !== this.upstream) return false;
    return text === this.listen || joinAddress(await resolveListen(text)) === this.listen;
  }

  async moveTo(addresses: ProxyAddresses): Promise<void> {
    await this.stop();
    this.addresses = { ...addresses };
  }

  private accept(client: Socket): void {
    const ordinal = ++this.counts.accepted;
    const connection = new Connection(client, {
      upstream: this.upstream,
      counts: this.counts,
      toxics: this.toxics.all,
      randomFor: (toxic) => this.randomFor(toxic, ordinal),
      onClose: (closed) => this.connections.delete(closed),
    });
    this.connections.add(connection);
  }

  /** The same calls and the same order of connections give the same numbers for the same seed. */
  private randomFor({ direction, version }: Toxic, ordinal: number): () => number {
    return randomFrom([this.seed, this.name, version, direction, ordinal].join('/'));
  }
}
