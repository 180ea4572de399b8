import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type Direction = 'toServer' | 'toClient';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * A proxy that loses bytes the way networks do: the sockets stay open and nobody is told. Toxiproxy does more, in a
 * process of its own; this one lives inside a test.
 */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private readonly swallowed = new Set<Direction>();
  private readonly held = new Set<Direction>();
  private server!: Server;
  private accepting = true;
  /** Connections accepted since the start. */
  accepted = 0;

  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target.host, target.port);
    proxy.server = createServer((client) => proxy.join(client));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get listeningPort(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Open connections. */
  get open(): number {
    return this.pairs.size;
  }

  /** From now on the bytes of these directions are read and thrown away, on every connection, new ones too. */
  swallow(...directions: Direction[]): void {
    for (const direction of directions) this.swallowed.add(direction);
  }

  /** From now on nothing is read in these directions, so that the sender's buffers fill. */
  hold(...directions: Direction[]): void {
    for (const direction of directions) this.held.add(direction);
    this.eachSource(directions, (source) => source.pause());
  }

  /** New connections are accepted and nothing is ever said on them. */
  blackHole(): void {
    this.accepting = false;
  }

  /** Ends swallowing, holding and the black hole. What was swallowed is gone, what was held goes on. */
  heal(): void {
    this.swallowed.clear();
    this.held.clear();
    this.accepting = true;
    this.eachSource(['toServer', 'toClient'], (source) => source.resume());
  }

  /** Cuts every connection hard. */
  reset(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  async stop(): Promise<void> {
    this.reset();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private join(client: Socket): void {
    this.accepted += 1;
    const server = this.accepting ? connect(this.port, this.host) : client;
    const pair = { client, server };
    this.pairs.add(pair);
    const end = (): void => {
      client.destroy();
      server.destroy();
      this.pairs.delete(pair);
    };
    for (const socket of new Set([client, server])) socket.on('error', end).on('close', end);
    if (!this.accepting) return void client.resume();
    this.carry(client, server, 'toServer');
    this.carry(server, client, 'toClient');
  }

  private carry(from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (bytes) => {
      if (this.swallowed.has(direction)) return;
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => this.held.has(direction) || from.resume());
    });
    if (this.held.has(direction)) from.pause();
  }

  private eachSource(directions: readonly Direction[], act: (source: Socket) => void): void {
    for (const { client, server } of this.pairs) {
      if (directions.includes('toServer')) act(client);
      if (directions.includes('toClient')) act(server);
    }
  }
}
