import type { BrokerServer } from '@counterfoil/stack';

import type { Effect } from '../../history.js';
import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

/**
 * SIGKILL to one node of the broker while clients are connected to it, and back after a while. Tells how many of their
 * connections moved to other nodes, and how many queues that it led have another leader.
 */
export const killNode: Inject<'kill-node'> = async (world, { target }) => {
  const node = brokerNamed(world, target);
  const others = world.stack.brokers.filter((one) => one !== node);
  const before = await look(node, others);
  const killedMs = performance.now();
  await node.kill('SIGKILL');
  return {
    heal: async () => {
      const moved = await whatMoved(before, others);
      const launchedMs = performance.now();
      await node.start();
      return {
        ...{ exits: 1, connectionsCut: before.connections, ledByIt: before.led.length, ...moved },
        downMs: Math.round(launchedMs - killedMs),
        readyAfterMs: Math.round(performance.now() - launchedMs),
      };
    },
  };
};

function brokerNamed({ stack }: World, target: string): BrokerServer {
  const node = stack.brokers.find(({ name }) => name === target);
  if (node === undefined || stack.brokers.length === 1) throw new Error(`${target} is no node of a cluster`);
  return node;
}

interface Before {
  readonly connections: number;
  readonly elsewhere: number;
  readonly nodeName: string;
  /** Queues whose leader it was. */
  readonly led: readonly string[];
}

async function look(node: BrokerServer, others: readonly BrokerServer[]): Promise<Before> {
  const nodeName = (await node.ctl('eval', 'node().')).trim().replaceAll("'", '');
  const leaders = await leadersBy(node);
  return {
    nodeName,
    connections: await connectionsOf(node),
    elsewhere: await connectionsOfAll(others),
    led: [...leaders].filter(([, leader]) => leader === nodeName).map(([queue]) => queue),
  };
}

async function whatMoved({ elsewhere, led, nodeName }: Before, others: readonly BrokerServer[]): Promise<Effect> {
  const [survivor] = others;
  const leaders = survivor === undefined ? new Map<string, string>() : await leadersBy(survivor);
  const elected = led.filter((queue) => ![undefined, '', nodeName].includes(leaders.get(queue)));
  return {
    connectionsMoved: Math.max(0, (await connectionsOfAll(others)) - elsewhere),
    leadersElected: elected.length,
  };
}

/** Queue → the node of its leader. */
async function leadersBy(node: BrokerServer): Promise<Map<string, string>> {
  const rows = JSON.parse(await node.ctl('list_queues', 'name', 'leader', '--formatter', 'json')) as {
    readonly name: string;
    readonly leader?: string;
  }[];
  return new Map(rows.map(({ name, leader }) => [name, leader ?? '']));
}

const connectionsOf = async (node: BrokerServer): Promise<number> =>
  Number(await node.ctl('eval', 'length(rabbit_networking:local_connections()).'));

async function connectionsOfAll(nodes: readonly BrokerServer[]): Promise<number> {
  let total = 0;
  for (const node of nodes) total += await connectionsOf(node);
  return total;
}
