import type { RabbitConnection } from './connection.js';
import { withDeadline } from './deadline.js';
import type { Link } from './link.js';

/**
 * How many messages wait in a queue, for people: a broker that answers late keeps the connection, for others do their
 * work over it.
 *
 * @throws Error after the connection's deadline, and without a connection or the queue
 */
export async function lookAtQueue(connection: RabbitConnection, queue: string): Promise<number> {
  const link = connection.current();
  if (link === null) throw new Error('no connection to the broker');
  const opened = openChannel(link);
  const looked = opened.then(async (channel) => (await channel.checkQueue(queue)).messageCount);
  try {
    return await withDeadline(looked, connection.options.deadlineMs, `looking at ${queue}`);
  } finally {
    // Also one that opens later; asking for a queue that is gone has closed it already.
    opened.then((channel) => channel.close()).catch(() => undefined);
  }
}

/** Of its own, for the same reason. */
async function openChannel({ model }: Link): ReturnType<Link['model']['createChannel']> {
  const channel = await model.createChannel();
  // An 'error' without a listener would end the process.
  channel.on('error', () => undefined);
  return channel;
}
