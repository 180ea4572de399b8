import type { RunningSystem } from '@counterfoil/stack';

export interface DatabaseUrls {
  readonly orderDb: string;
  readonly inventoryDb: string;
}

const SET_THEM = 'Set ORDER_DB_URL and INVENTORY_DB_URL to the databases of the system that is meant.';

/** @throws Error that says what to set, when it is not clear which system is meant */
export function whichSystem(
  given: { readonly orderDb: string | undefined; readonly inventoryDb: string | undefined },
  running: readonly RunningSystem[],
): DatabaseUrls {
  const [orderDb = '', inventoryDb = ''] = [given.orderDb, given.inventoryDb];
  if (orderDb !== '' && inventoryDb !== '') return { orderDb, inventoryDb };
  if (orderDb !== '' || inventoryDb !== '') {
    throw new Error(`Only ${orderDb === '' ? 'INVENTORY_DB_URL' : 'ORDER_DB_URL'} is set. ${SET_THEM}`);
  }
  const [one, ...more] = running.flatMap(({ by, urls }) =>
    urls.orderDb === null || urls.inventoryDb === null
      ? []
      : [{ by, urls: { orderDb: urls.orderDb, inventoryDb: urls.inventoryDb } }],
  );
  if (one === undefined) throw new Error(`Nothing runs on this machine by npm start or npm run stack. ${SET_THEM}`);
  if (more.length > 0) {
    throw new Error(`Several systems run here, by ${[one, ...more].map(({ by }) => by).join(' and ')}. ${SET_THEM}`);
  }
  return one.urls;
}
