import { connect, type ChannelModel } from 'amqplib';

/** As much of a world as that takes. */
export interface WithBroker {
  readonly stack: { readonly broker: { readonly url: string } };
}

/** A connection of the nemesis's own, past every proxy. */
export async function onBroker<T>({ stack }: WithBroker, work: (model: ChannelModel) => Promise<T>): Promise<T> {
  const model = await connect(stack.broker.url);
  // A fault beside this one may cut us off; the call that is under way then rejects.
  model.on('error', () => undefined);
  try {
    return await work(model);
  } finally {
    await model.close().catch(() => undefined);
  }
}
