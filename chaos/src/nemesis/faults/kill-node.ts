import type { BrokerServer } from '@counterfoil/stack';

import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';

/**
 * SIGKILL to one node of the broker while clients are connected to it, and back after a while. Tells how many of their
 * connections moved to other nodes, and how many of the queues that it led have another leader.
 */
export const killNode: Inject<'kill-node'> = async (world, { target }) => {
  const node = brokerNamed(world, target);
  const survivor = world.stack.brokers.find((one) => one !== node && one.isRunning()) ?? node;
  const before = await look(node);
  const killedMs = performance.now();
  await node.kill('SIGKILL');
  return {
    heal: async () => {
      const after = await look(survivor);
      const led = Object.entries(before.leaders).filter(([, leader]) => leader === before.node);
      const launchedMs = performance.now();
      await node.start();
      return {
        exits: 1,
        connectionsCut: before.connections[before.node] ?? 0,
        connectionsMoved: Math.max(0, elsewhere(after, before.node) - elsewhere(before, before.node)),
        queuesLed: led.length,
        leadersElected: led.filter(([queue]) => ![undefined, NO_LEADER, before.node].includes(after.leaders[queue]))
          .length,
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

interface ClusterView {
  /** The one that was asked. */
  readonly node: string;
  /** Of clients, by node. */
  readonly connections: Readonly<Record<string, number>>;
  /** By queue: the node of its leader. */
  readonly leaders: Readonly<Record<string, string>>;
}

const elsewhere = ({ connections }: ClusterView, than: string): number =>
  Object.entries(connections).reduce((total, [node, count]) => (node === than ? total : total + count), 0);

const NO_LEADER = 'none';

// All of it in one call: rabbitmqctl takes a second to start.
const VIEW = `
  Nodes = [node() | nodes()],
  Connections = [{N, length(rpc:call(N, rabbit_networking, local_connections, []))} || N <- Nodes],
  LeaderOf = fun({Name, _}) -> case ra_leaderboard:lookup_leader(Name) of {_, N} -> N; _ -> ${NO_LEADER} end; (Pid) -> node(Pid) end,
  Leaders = [{element(4, amqqueue:get_name(Q)), LeaderOf(amqqueue:get_pid(Q))} || Q <- rabbit_amqqueue:list()],
  iolist_to_binary(rabbit_json:encode(#{node => node(), connections => maps:from_list(Connections), leaders => maps:from_list(Leaders)})).`;

async function look(node: BrokerServer): Promise<ClusterView> {
  // An Erlang binary, `<<"{\"node\":…}">>`: between the angle brackets it is a JSON string.
  const binary = (await node.ctl('eval', VIEW.trim().replaceAll('\n', ' '))).trim();
  return JSON.parse(JSON.parse(binary.slice(2, -2)) as string) as ClusterView;
}
