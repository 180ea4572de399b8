import { setTimeout as sleep } from 'node:timers/promises';

import { openShop } from './shop.js';

/** Buys once, waits until it is packed, says which, and ends by itself. */
async function main(): Promise<void> {
  const { SHOP_DB_URL = '', AMQP_URL = '' } = process.env;
  const shop = await openShop(SHOP_DB_URL, AMQP_URL);
  // A worker id is leased first; a moment later anybody can buy.
  const id = await untilDone(() => shop.buy('kettle'));
  await untilDone(async () => {
    if ((await shop.db.knex('parcel').where({ id })).length === 0) throw new Error('not packed yet');
  });
  await shop.close();
  console.log(id);
}

async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + 60_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await sleep(50);
    }
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
