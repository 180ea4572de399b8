import { ApiError } from './api/api-error.js';
import { Proxy } from './proxy.js';

export interface ProxyEntry {
  readonly name: string;
  readonly listen: string;
  readonly upstream: string;
  readonly enabled: boolean;
}

/** All proxies by name. Calls that change it must not overlap. */
export class Proxies {
  private readonly byName = new Map<string, Proxy>();

  constructor(readonly seed: number) {}

  get sorted(): readonly Proxy[] {
    return [...this.byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  get(name: string): Proxy {
    const proxy = this.byName.get(name);
    if (!proxy) throw new ApiError(404, 'proxy not found');
    return proxy;
  }

  async create(entry: ProxyEntry): Promise<Proxy> {
    if (this.byName.has(entry.name)) throw new ApiError(409, 'proxy already exists');
    return this.put(entry);
  }

  /** The same addresses: left as it is, switched on or off. Other ones: replaced by a new proxy without toxics. */
  async createOrReplace(entry: ProxyEntry): Promise<Proxy> {
    const present = this.byName.get(entry.name);
    if (!present) return this.put(entry);
    if (await present.isAt(entry)) return present;
    await present.stop();
    return this.put(entry);
  }

  /** Missing fields keep their value; other addresses cost the open connections. */
  async change(proxy: Proxy, changes: Partial<Omit<ProxyEntry, 'name'>>): Promise<void> {
    const isWanted = changes.enabled ?? proxy.isEnabled;
    const addresses = { listen: changes.listen ?? proxy.listen, upstream: changes.upstream ?? proxy.upstream };
    if (!(await proxy.isAt(addresses))) await proxy.moveTo(addresses);
    await (isWanted ? proxy.start() : proxy.stop());
  }

  async delete(name: string): Promise<void> {
    await this.get(name).stop();
    this.byName.delete(name);
  }

  /** Everything as on the first day: all proxies up, no toxics. */
  async reset(): Promise<void> {
    for (const proxy of this.byName.values()) {
      await proxy.start();
      proxy.toxics.removeAll();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.byName.values()].map((proxy) => proxy.stop()));
  }

  private async put({ name, listen, upstream, enabled }: ProxyEntry): Promise<Proxy> {
    const proxy = new Proxy(name, this.seed, { listen, upstream });
    if (enabled) await proxy.start();
    this.byName.set(name, proxy);
    return proxy;
  }
}
