import type { Channel } from 'amqplib';

/** What has to exist on the broker before anything is published or consumed. Exchanges are durable. */
export interface Topology {
  readonly exchanges: readonly { readonly name: string; readonly type: string }[];
  readonly queues: readonly {
    readonly name: string;
    readonly durable: boolean;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
  readonly bindings: readonly { readonly queue: string; readonly exchange: string; readonly routingKey: string }[];
}

/** The broker has, or wants, something else than the topology says. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';
  constructor(
    /** What was being declared, for example `queue inventory.deduct`. */
    readonly item: string,
    /** The argument that differs, when the broker named one. */
    readonly argument: string | null,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** Declares everything, idempotently. The channel is the caller's to close: a refusal has closed it already. */
export async function declareTopology(channel: Channel, topology: Topology): Promise<void> {
  for (const { name, type } of topology.exchanges) {
    await declaring(`exchange ${name}`, channel.assertExchange(name, type, { durable: true }));
  }
  for (const queue of topology.queues) {
    const { durable } = queue;
    await declaring(
      `queue ${queue.name}`,
      channel.assertQueue(queue.name, { durable, arguments: { ...queue.arguments } }),
    );
  }
  for (const { queue, exchange, routingKey } of topology.bindings) {
    await declaring(`binding ${exchange} -${routingKey}-> ${queue}`, channel.bindQueue(queue, exchange, routingKey));
  }
}

async function declaring(item: string, declared: Promise<unknown>): Promise<void> {
  try {
    await declared;
  } catch (error) {
    throw topologyError(item, error);
  }
}

/** RabbitMQ says `inequivalent arg 'x-queue-type' for queue 'q' in vhost '/': received 'quorum' but current is 'classic'`. */
export function topologyError(item: string, cause: unknown): TopologyError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const unequal = /inequivalent arg '([^']+)' for .*: received (.+?) but current is (.+?)"?$/s.exec(text);
  if (!unequal) return new TopologyError(item, null, `${item} cannot be declared: ${text}`, cause);
  const [, argument = '', ours = '', theirs = ''] = unequal;
  const message =
    `${item} exists with another ${argument}: the broker has ${theirs}, this process declares ${ours}; ` +
    'delete it once it is empty, or change the declaration';
  return new TopologyError(item, argument, message, cause);
}
