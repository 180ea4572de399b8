import { setTimeout as sleep } from 'node:timers/promises';

import type { ChannelModel } from 'amqplib';

import { onBroker, type WithBroker } from '../nemesis/faults/on-broker.js';

const LOOK_EVERY_MS = 500;

type Counts = Readonly<Record<string, number>>;

/**
 * How many consumers the broker has on each of these queues: as many as are due, or those that there are when the time is over.
 *
 * @returns null when it does not tell: it is not reached, or one of the queues is not there
 */
export async function consumersOf(world: WithBroker, due: Counts, withinMs: number): Promise<Counts | null> {
  const queues = Object.keys(due);
  for (const sinceMs = performance.now(); ; await sleep(LOOK_EVERY_MS)) {
    const found = await onBroker(world, (model) => count(model, queues)).catch(() => null);
    const isAsDue = queues.every((queue) => found?.[queue] === due[queue]);
    if (isAsDue || performance.now() - sinceMs > withinMs) return found;
  }
}

async function count(model: ChannelModel, queues: readonly string[]): Promise<Counts> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined); // a queue that is not there; the look rejects as well
  const counts: Record<string, number> = {};
  for (const queue of queues) counts[queue] = (await channel.checkQueue(queue)).consumerCount;
  return counts;
}
