import type { RabbitConnection } from '../channels/rabbitmq/index.js';

/** How many messages wait in a queue. @throws Error while there is no connection */
export async function queueDepth(connection: RabbitConnection, queue: string): Promise<number> {
  const link = connection.current();
  if (link === null) throw new Error('no connection to the broker');
  // A channel of its own: asking for a queue that is gone closes it.
  const channel = await link.openChannel();
  const { messageCount } = await link.answer(`looking at ${queue}`, channel.checkQueue(queue));
  await link.closeChannel(channel);
  return messageCount;
}
