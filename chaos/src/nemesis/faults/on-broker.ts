import { connect, type ChannelModel } from 'amqplib';

import type { World } from '../../world/world.js';

/** A connection of the nemesis's own, past every proxy. */
export async function onBroker<T>(world: World, work: (model: ChannelModel) => Promise<T>): Promise<T> {
  const model = await connect(world.stack.broker.url);
  // A fault beside this one may cut us off; the call that is under way then rejects.
  model.on('error', () => undefined);
  try {
    return await work(model);
  } finally {
    await model.close().catch(() => undefined);
  }
}
