import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { eventually } from './eventually.js';
import { Peer } from './peer.js';

/** A server behind the proxy: sends back what it gets, or only keeps it. */
export class Upstream {
  readonly peers: Peer[] = [];

  private constructor(
    private readonly server: Server,
    readonly echoes: boolean,
  ) {
    server.on('connection', (socket) => {
      this.peers.push(new Peer(socket));
      if (echoes) socket.on('data', (data: Buffer) => void socket.write(data)).on('end', () => socket.end());
    });
  }

  static async start(kind: 'echo' | 'sink'): Promise<Upstream> {
    const upstream = new Upstream(createServer({ allowHalfOpen: true, noDelay: true }), kind === 'echo');
    upstream.server.listen(0, '127.0.0.1');
    await once(upstream.server, 'listening');
    return upstream;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async peer(index: number): Promise<Peer> {
    await eventually(
      () => this.peers.length > index,
      () => `connection ${index} did not reach the upstream`,
    );
    return this.peers[index] as Peer;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    await Promise.all(this.peers.map((peer) => peer.close()));
    await closed;
  }
}
