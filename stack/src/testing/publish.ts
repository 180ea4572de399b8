import { connect } from 'amqplib';

const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

/** Declares a quorum queue and publishes a message to it; resolves with the confirm. */
export async function publish(url: string, queue: string): Promise<void> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, QUORUM);
  channel.sendToQueue(queue, Buffer.from('confirmed'), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}
