import { randomUUID } from 'node:crypto';
import { connect, type ChannelModel } from 'amqplib';

const ANSWER_MS = 10_000;
const CONNECT_MS = 3_000;
const EXPIRES_MS = 60_000;

/**
 * Publishes a message to a quorum queue of its own, waits for the confirm and consumes it. After a crash the broker opens its
 * port before its quorum queues work; and a queue with a fixed name can stay broken when the broker is killed right after the declaration.
 */
export async function roundTrip(amqpUrl: string): Promise<void> {
  await withConnection(amqpUrl, async (connection) => {
    const channel = await connection.createConfirmChannel();
    const queue = `counterfoil.ready.${randomUUID()}`;
    await channel.assertQueue(queue, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-expires': EXPIRES_MS },
    });
    const arrived = new Promise<void>((resolve, reject) => {
      channel.on('error', reject);
      channel.on('close', () => reject(new Error('the broker closed the channel')));
      channel
        .consume(queue, (message) =>
          message ? resolve(channel.ack(message)) : reject(new Error('the broker cancelled the consumer')),
        )
        .catch(reject);
    });
    arrived.catch(() => undefined);
    channel.sendToQueue(queue, Buffer.from('ready?'), { persistent: true });
    await channel.waitForConfirms();
    await arrived;
    await channel.deleteQueue(queue);
  });
}

/** Gives `work` a connection and closes it; neither a silent broker nor a vanished one keeps the caller waiting. */
export async function withConnection<T>(amqpUrl: string, work: (connection: ChannelModel) => Promise<T>): Promise<T> {
  const connection = await connect(amqpUrl, { timeout: CONNECT_MS });
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    connection.on('close', () => reject(new Error('the broker closed the connection')));
    timer = setTimeout(() => reject(new Error(`the broker did not answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  broken.catch(() => undefined);
  const working = work(connection);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, broken]);
  } finally {
    clearTimeout(timer);
    // Not awaited: a paused broker never answers the close.
    void connection.close().catch(() => undefined);
  }
}
