import { connect } from 'amqplib';

const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };
const CONFIRMED_WITHIN_MS = 20_000;

/** Declares a quorum queue and publishes a message to it; resolves with the confirm. */
export async function publish(url: string, queue: string): Promise<void> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue(queue, QUORUM);
    channel.sendToQueue(queue, Buffer.from('confirmed'), { persistent: true });
    await channel.waitForConfirms();
  } finally {
    await connection.close();
  }
}

/** As often as it takes: while a queue has no leader, the broker refuses. */
export async function publishUntilConfirmed(url: string, queue: string): Promise<void> {
  const giveUpAtMs = Date.now() + CONFIRMED_WITHIN_MS;
  for (;;) {
    try {
      return await publish(url, queue);
    } catch (error) {
      if (Date.now() > giveUpAtMs) throw error;
    }
  }
}
