import { setTimeout as sleep } from 'node:timers/promises';

import type { Channel, ChannelModel } from 'amqplib';

import { QUEUE_TYPE } from '../../sabotage/preloads/classic-setting.js';
import type { World } from '../../world/world.js';
import type { Inject } from '../injection.js';
import { onBroker } from './on-broker.js';

const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;
const EMPTY_LOOKS = 5;

/**
 * The queue goes, and its consumers are told; whoever uses it declares it again, with its binding. When it is to be
 * empty, it is deleted only then: a classic queue by the broker's own condition, which quorum queues do not have.
 */
export const deleteQueue: Inject<'delete-queue'> = async (world, { queue, onlyIfEmpty }) => {
  const deleted = await onBroker(world, async (model) => {
    const channel = await model.createChannel();
    if (onlyIfEmpty && !(await becameEmpty(channel, queue))) return null;
    return channel.deleteQueue(queue, onlyIfEmpty && isClassic(world) ? { ifEmpty: true } : {});
  });
  const deletedMs = performance.now();
  return {
    heal: async () => {
      if (deleted === null) return {};
      const isBack = await onBroker(world, (model) => comesBack(model, queue));
      const declaredAgain = isBack
        ? { declaredAgain: 1, declaredAgainMs: Math.round(performance.now() - deletedMs) }
        : { declaredAgain: 0 };
      return { queuesDeleted: 1, messagesGone: deleted.messageCount, ...declaredAgain };
    },
  };
};

const isClassic = ({ plan }: World): boolean => plan.world.settings[QUEUE_TYPE] === 'classic';

/** Several looks in a row: what is between two of them would be seen in one. */
async function becameEmpty(channel: Channel, queue: string): Promise<boolean> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (let empty = 0; performance.now() < untilMs;) {
    empty = (await channel.checkQueue(queue)).messageCount === 0 ? empty + 1 : 0;
    if (empty === EMPTY_LOOKS) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

async function comesBack(model: ChannelModel, queue: string): Promise<boolean> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (performance.now() < untilMs) {
    // A look at a queue that is not there closes the channel.
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    const isThere = await channel.checkQueue(queue).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
