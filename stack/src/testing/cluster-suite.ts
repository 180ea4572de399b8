import { startStack, type BrokerServer, type Stack, type StackOptions } from '../index.js';
import { publish, publishUntilConfirmed } from './publish.js';

/** What a broker of three nodes does, on any backend. */
export function clusterSuite(options: StackOptions): void {
  let stack: Stack;
  let one: BrokerServer;
  let two: BrokerServer;
  let three: BrokerServer;

  beforeAll(async () => {
    stack = await startStack({ ...options, databases: [], brokerNodes: 3 });
    [one, two, three] = stack.brokers as [BrokerServer, BrokerServer, BrokerServer];
  }, 180_000);
  afterAll(() => stack.stop(), 60_000);

  it('when it is up, then its nodes are one cluster, each at an address of its own, and all are in the URLs', async () => {
    const status = JSON.parse(await one.ctl('cluster_status', '--formatter', 'json')) as { running_nodes: string[] };
    expect(status.running_nodes).toHaveLength(3);
    expect(stack.urls().amqp?.split(',')).toEqual(stack.brokers.map(({ url }) => url));
    expect(new Set(stack.brokers.map(({ port }) => port)).size).toBe(3);
  });

  it('when a node is killed, then the others have its quorum queue and take more; when it is back, so has it', async () => {
    await publish(one.url, 'shared');
    expect(await members(two, 'shared')).toHaveLength(3);
    await one.flushDeclarations();
    await one.kill();

    await publishUntilConfirmed(two.url, 'shared');
    const depth = await three.queueDepth('shared');
    expect(depth).toBeGreaterThanOrEqual(2);

    await one.start();
    expect(await one.queueDepth('shared')).toBe(depth);
  }, 90_000);
}

async function members(node: BrokerServer, queue: string): Promise<readonly string[]> {
  const rows = JSON.parse(await node.ctl('list_queues', 'name', 'members', '--formatter', 'json')) as {
    readonly name: string;
    readonly members: readonly string[];
  }[];
  return rows.find(({ name }) => name === queue)?.members ?? [];
}
