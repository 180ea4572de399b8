import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { errorPacket } from './error-packet.js';

/**
 * What becomes of a statement: the line is cut before it reaches the server, or after the server has carried it out and
 * before the client hears of it; or nobody hears anything any more, with the statement lost or carried out; or it is
 * lost and answered with an error, and the line goes on: a dead-lock, or a number that is on no list.
 */
export type Fate = 'cut-before' | 'cut-answer' | 'swallow' | 'swallow-answer' | keyof typeof SAID;

const SAID = {
  'dead-lock': errorPacket(1213, '#40001Deadlock found, says the proxy', 1),
  unlisted: errorPacket(9999, '#HY000Something new, says the proxy', 1),
};

interface Plan {
  readonly text: string;
  readonly fate: Fate;
  left: number;
}

/** A proxy in front of a database that knows which statement passes, so that a line can break at exactly that one. */
export class StatementProxy implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private plans: Plan[] = [];
  private server!: Server;
  /** How often a plan came true. */
  struck = 0;

  private constructor(private readonly target: URL) {}

  static async before(databaseUrl: string): Promise<StatementProxy> {
    const proxy = new StatementProxy(new URL(databaseUrl));
    proxy.server = createServer((client) => proxy.join(client));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The database's URL with this proxy in between. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  /** The next `times` statements that contain `text` meet this fate; but for an error, the connection they came on never recovers. */
  strike(text: string, fate: Fate, times = 1): void {
    this.plans.push({ text, fate, left: times });
  }

  /** From now on statements pass; what was swallowed stays so. */
  heal(): void {
    this.plans = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    this.carry(client, server, end);
  }

  private carry(client: Socket, server: Socket, cut: () => void): void {
    let fate: Fate | null = null;
    client.on('data', (bytes) => {
      fate ??= this.fateOf(bytes);
      if (fate === 'dead-lock' || fate === 'unlisted') {
        client.write(SAID[fate]);
        fate = null;
      } else if (fate === 'cut-before') cut();
      else if (fate !== 'swallow') server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (fate === 'cut-answer') cut();
      else if (fate === null) client.write(bytes);
    });
  }

  private fateOf(bytes: Buffer): Fate | null {
    const plan = this.plans.find(({ text, left }) => left > 0 && bytes.includes(text));
    if (plan === undefined) return null;
    plan.left -= 1;
    this.struck += 1;
    return plan.fate;
  }
}
