import { setTimeout as sleep } from 'node:timers/promises';

import { DEDUCT } from '@counterfoil/contracts';
import type { Channel } from 'amqplib';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';
import { onBroker } from './on-broker.js';

const PATIENCE_MS = 10_000;
/** Handled for certain by then. */
const HANDLED = `
  SELECT message_id AS messageId, content
    FROM producer_message
   WHERE status = 'SENT' AND sent_time < NOW(3) - INTERVAL 1 SECOND
   ORDER BY id
   LIMIT ?`;

/**
 * What the broker gives up on: deliveries that nobody has handled, and, because it dead-letters at least once, copies
 * of messages that were handled all the same.
 */
export const deadLetters: Inject<'dead-letters'> = async (world, { rejected, copies }) => {
  const effect = await onBroker(world, async (model) => ({
    rejections: await reject(await model.createChannel(), rejected),
    deadCopies: await copyHandled(world, await model.createChannel(), copies),
  }));
  return { heal: () => Promise.resolve(effect) };
};

/** One more consumer, which says no to whatever it gets. */
async function reject(channel: Channel, count: number): Promise<number> {
  let done = 0;
  await channel.prefetch(1);
  const { consumerTag } = await channel.consume(DEDUCT.queue, (message) => {
    if (message === null || done >= count) return;
    done += 1;
    channel.nack(message, false, false);
  });
  const untilMs = performance.now() + PATIENCE_MS;
  while (done < count && performance.now() < untilMs) await sleep(20);
  await channel.cancel(consumerTag);
  await channel.close();
  return done;
}

const DEATH = {
  queue: DEDUCT.queue,
  exchange: DEDUCT.exchange,
  'routing-keys': [DEDUCT.routingKey],
  reason: 'delivery_limit',
  count: 1,
};

interface Handled extends RowDataPacket {
  readonly messageId: string;
  readonly content: string;
}

async function copyHandled({ stack }: World, channel: Channel, count: number): Promise<number> {
  const orders = await createConnection(stack.orderDb.url);
  const [handled] = await orders.query<Handled[]>(HANDLED, [count]);
  await orders.end();
  for (const { messageId, content } of handled) {
    channel.sendToQueue(DEDUCT.deadQueue, Buffer.from(content), {
      messageId,
      persistent: true,
      contentType: 'application/json',
      headers: { 'x-death': [DEATH] },
    });
  }
  await channel.close();
  return handled.length;
}
