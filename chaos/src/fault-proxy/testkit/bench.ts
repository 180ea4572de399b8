import { connect } from 'node:net';
import { once } from 'node:events';
import { answerOf, type Answer } from './answer.js';
import { Peer } from './peer.js';
import { startOurs, startServer, type ServerUnderTest } from './server-under-test.js';
import { Upstream } from './upstream.js';

export interface ProxyHandle {
  readonly path: string;
  readonly port: number;
}

export interface ToxicBody {
  readonly type: string;
  readonly name?: string;
  readonly stream?: 'upstream' | 'downstream';
  readonly toxicity?: number;
  readonly attributes?: Readonly<Record<string, number>>;
}

/** A server, what stands around it, and everything that has to be taken away afterwards. */
export class Bench {
  private readonly closers: (() => Promise<void>)[] = [];
  private proxies = 0;

  private constructor(
    readonly server: ServerUnderTest,
    /** Of `GET /version`. Where the original differs, a vector says so by this. */
    readonly isOurs: boolean,
  ) {}

  static async start(seed?: number): Promise<Bench> {
    return Bench.around(await startServer(seed));
  }

  /** Around ours, whatever TOXIPROXY_BIN says. */
  static async startOurs(): Promise<Bench> {
    return Bench.around(await startOurs(1));
  }

  private static async around(server: ServerUnderTest): Promise<Bench> {
    const version = await (await fetch(`${server.url}/version`)).text();
    return new Bench(server, version.includes('counterfoil'));
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.server.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: text }),
    });
    return answerOf(response.status, await response.text(), response.headers);
  }

  async upstream(kind: 'echo' | 'sink'): Promise<Upstream> {
    const upstream = await Upstream.start(kind);
    this.closers.push(() => upstream.stop());
    return upstream;
  }

  async proxy(upstream: { readonly address: string }): Promise<ProxyHandle> {
    const name = `p${++this.proxies}`;
    const answer = await this.call('POST', '/proxies', { name, listen: '127.0.0.1:0', upstream: upstream.address });
    expect(answer.status).toBe(201);
    return { path: `/proxies/${name}`, port: portOf(answer.json.listen) };
  }

  async toxic(proxy: ProxyHandle, toxic: ToxicBody): Promise<string> {
    const answer = await this.call('POST', `${proxy.path}/toxics`, toxic);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return `${proxy.path}/toxics/${answer.json.name}`;
  }

  async change(path: string, body: unknown): Promise<void> {
    expect((await this.call('POST', path, body)).status).toBe(200);
  }

  async remove(path: string): Promise<void> {
    expect((await this.call('DELETE', path)).status).toBe(204);
  }

  async connect({ port }: { readonly port: number }): Promise<Peer> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const peer = new Peer(socket);
    this.closers.push(() => peer.close());
    await once(socket, 'connect');
    return peer;
  }

  /** Connected through the proxy, with the upstream's end of it. */
  async pair(proxy: ProxyHandle, upstream: Upstream): Promise<{ client: Peer; server: Peer }> {
    const index = upstream.peers.length;
    return { client: await this.connect(proxy), server: await upstream.peer(index) };
  }

  /** Leaves nothing behind for the next vector. */
  async clear(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close();
    if (!this.server.isAlive()) return;
    for (const name of Object.keys((await this.call('GET', '/proxies')).json)) {
      await this.call('DELETE', `/proxies/${encodeURIComponent(name)}`);
    }
  }

  async stop(): Promise<void> {
    await this.clear();
    await this.server.stop();
  }
}

export const portOf = (listen: string): number => Number(listen.slice(listen.lastIndexOf(':') + 1));
