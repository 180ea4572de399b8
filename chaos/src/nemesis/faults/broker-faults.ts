import { DECIDED, DEDUCT } from '@counterfoil/contracts';

import type { Inject } from '../injection.js';
import { poisonBodies } from '../poison-bodies.js';
import { onBroker } from './on-broker.js';
import { riseOfMetric, sumOfMetric } from './sum-of-metric.js';

/** Memory alarm: the broker stops reading from whoever publishes. */
export const alarm: Inject<'alarm'> = async (world, _fault, undoBy) => {
  const setWatermark = async (part: string): Promise<void> => {
    await world.stack.broker.ctl('set_vm_memory_high_watermark', part);
  };
  undoBy(() => setWatermark('0.6'));
  await setWatermark('0');
  const sinceMs = performance.now();
  return {
    heal: async () => {
      const processesBlocked = await sumOfMetric(world, 'counterfoil_channel_blocked');
      await setWatermark('0.6');
      return { processesBlocked, alarmMs: Math.round(performance.now() - sinceMs) };
    },
  };
};

const routeOf = (queue: string) => {
  const route = [DEDUCT, DECIDED].find((one) => one.queue === queue);
  if (route === undefined) throw new Error(`No route leads to ${queue}`);
  return route;
};

/** The binding is gone: what is published meanwhile is confirmed and returned. */
export const unbind: Inject<'unbind'> = async (world, { queue }, undoBy) => {
  const { exchange, routingKey } = routeOf(queue);
  const bind = (): Promise<void> =>
    onBroker(world, async (model) => {
      const channel = await model.createChannel();
      await channel.bindQueue(queue, exchange, routingKey);
    });
  undoBy(bind);
  const messagesReturned = await riseOfMetric(world, 'counterfoil_messages_returned_total');
  await onBroker(world, async (model) => {
    const channel = await model.createChannel();
    await channel.unbindQueue(queue, exchange, routingKey);
  });
  return {
    heal: async () => {
      await bind();
      return { messagesReturned: await messagesReturned() };
    },
  };
};

/** Bodies that nobody can read, some without an id, among the good ones. */
export const poison: Inject<'poison'> = async (world, { bodies }) => {
  await onBroker(world, async (model) => {
    const channel = await model.createConfirmChannel();
    for (const { body, messageId } of poisonBodies(bodies)) {
      const id = messageId === null ? {} : { messageId };
      channel.publish(DEDUCT.exchange, DEDUCT.routingKey, Buffer.from(body), { persistent: true, ...id });
    }
    await channel.waitForConfirms();
  });
  return { heal: () => Promise.resolve({ poisoned: bodies }) };
};
