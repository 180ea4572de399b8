import { Toxiproxy, type Latency, type Proxy } from 'toxiproxy-node-client';
import { Bench, portOf } from './testkit/bench.js';

describe('toxiproxy-node-client works against it unchanged', () => {
  let bench: Bench;
  let client: Toxiproxy;
  const body = { name: 'orders', listen: '127.0.0.1:0', upstream: '127.0.0.1:9' };
  const latency = {
    name: 'slow',
    type: 'latency',
    stream: 'upstream',
    toxicity: 1,
    attributes: { latency: 5, jitter: 1 },
  } as const;

  beforeAll(async () => {
    bench = await Bench.start();
    client = new Toxiproxy(bench.server.url);
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it('when a proxy is made, changed, found and removed, then each call gives what the server has', async () => {
    const proxy = await client.createProxy(body);
    expect(portOf(proxy.listen)).toBeGreaterThan(0);
    const { listen, upstream } = proxy;
    expect((await proxy.update({ enabled: false, listen, upstream })).enabled).toBe(false);
    expect((await client.get('orders')).toJson()).toMatchObject({ name: 'orders', listen, enabled: false });
    await client.reset();
    expect(Object.values(await client.getAll()).map((one: Proxy) => one.enabled)).toEqual([true]);
    await proxy.remove();
    expect(await client.getAll()).toEqual({});
  });

  it('when a toxic is added, changed, found and removed, then each call gives what the server has', async () => {
    const proxy = await client.createProxy(body);
    const toxic = await proxy.addToxic<Latency>(latency);
    expect(toxic.toJson()).toEqual(latency);
    const changed = await toxic.update({ ...latency, attributes: { latency: 9, jitter: 0 } });
    expect(changed.attributes).toEqual({ latency: 9, jitter: 0 });
    expect((await proxy.getToxic<Latency>('slow')).attributes.latency).toBe(9);
    await changed.remove();
    await expect(proxy.getToxic('slow')).rejects.toThrow('Request failed with status code 404');
  });

  it('when proxies are populated, then they come by name, and an empty list is its known TypeError', async () => {
    expect(Object.keys(await client.populate([body, { ...body, name: 'broker' }]))).toEqual(['orders', 'broker']);
    await expect(client.populate([])).rejects.toThrow(TypeError);
  });

  it('when something is there already or missing, then the message has the status', async () => {
    const proxy = await client.createProxy(body);
    await proxy.addToxic(latency);
    await expect(client.createProxy(body)).rejects.toThrow('Request failed with status code 409');
    await expect(proxy.addToxic(latency)).rejects.toThrow('Request failed with status code 409');
    await expect(client.get('nobody')).rejects.toThrow('Request failed with status code 404');
  });

  it('when the version is asked for, then it is the raw text', async () => {
    expect(JSON.parse(await client.getVersion())).toHaveProperty('version');
  });
});
