/** Every queue is a classic one: `--queue-type classic`. A quorum queue stores whatever it gets, also what asks not to be. */
import { replace } from '../replace.js';

interface Topology {
  readonly queues: readonly { readonly arguments: Readonly<Record<string, unknown>> }[];
}

const OF_QUORUM_QUEUES_ONLY = ['x-delivery-limit', 'x-dead-letter-strategy'];

const classic = (given: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(given).filter(([name]) => !OF_QUORUM_QUEUES_ONLY.includes(name))),
  'x-queue-type': 'classic',
});

replace('contracts/topology', 'topology', (original: () => Topology) => () => {
  const topology = original();
  return { ...topology, queues: topology.queues.map((queue) => ({ ...queue, arguments: classic(queue.arguments) })) };
});
