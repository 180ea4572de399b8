// What the README of message-table shows; installed.int.test.ts runs it from the packed package, in an empty project.
// #region setup
import {
  createEvents,
  createMessageTable,
  createQueueConsuming,
  createRabbitChannel,
  createRelay,
  MESSAGE_TABLE_MIGRATIONS,
  migrate,
  openDatabase,
  rabbitService,
  runInTransaction,
  startInOrder,
  stopInReverse,
  topologyOf,
} from '@counterfoil/message-table';
import type { Database, Effect, MessageTable, RabbitChannel, Service } from '@counterfoil/message-table';

const PARCELS = { exchange: 'shop', routingKey: 'parcel', queue: 'shop.parcel', deadQueue: 'shop.dead' };
const topology = topologyOf(PARCELS);
// #endregion setup

// #region producer
/** The row and the message: both or neither. */
export function buy(db: Database, { acceptor, newId }: MessageTable, item: string): Promise<string> {
  return runInTransaction(db, async (trx) => {
    const id = newId();
    await trx('purchase').insert({ id, item });
    const { exchange, routingKey } = PARCELS;
    const message = { taskName: 'shop.parcel', config: { exchange, routingKey }, content: { id, item } };
    await acceptor.accept(trx, { ...message, channel: 'rabbitmq' });
    return id;
  });
}
// #endregion producer

// #region relay
/** Sends what the producer did not: after a crash, an outage, a refusal. Run as many as you like. */
export const relayOf = (db: Database, rabbit: RabbitChannel): readonly Service[] =>
  createRelay({ db, channels: [rabbit], processName: 'shop-relay-1' });
// #endregion relay

// #region consumer
/** Takes effect once per message id, however often the message arrives. */
const pack: Effect<{ id: string; item: string }> = {
  name: 'shop.pack', // never changes
  maxRetryCount: 5,
  read: ({ body }) => JSON.parse(body.toString()) as { id: string; item: string },
  apply: async (trx, items) => {
    await trx('parcel').insert(items.map(({ value }) => value));
  },
};

export const packing = (db: Database, amqpUrls: string): readonly Service[] =>
  createQueueConsuming({ db, amqpUrls, topology, ...PARCELS, effect: pack, processName: 'shop-packing-1' }).services;
// #endregion consumer

/** All three in one process, for a look; in earnest each is a service of its own, with a database of its own. */
export async function openShop(url: string, amqpUrl: string): Promise<Shop> {
  // #region start
  const events = createEvents();
  const db = openDatabase({ url, events });
  await migrate(url, [MESSAGE_TABLE_MIGRATIONS]); // and the folder of your own
  const rabbit = createRabbitChannel({ urls: amqpUrl, topology, events, connectionName: 'shop' });
  const table = createMessageTable({ db, channels: [rabbit], processName: 'shop-1' });
  const services = [
    rabbitService('publish', rabbit),
    ...table.services,
    ...relayOf(db, rabbit),
    ...packing(db, amqpUrl),
  ];
  await startInOrder(services); // and stopInReverse(services), then db.close()
  // #endregion start
  const close = async (): Promise<void> => {
    await stopInReverse(services);
    await db.close();
  };
  return { db, buy: (item) => buy(db, table, item), close };
}

export interface Shop {
  readonly db: Database;
  buy(item: string): Promise<string>;
  close(): Promise<void>;
}
