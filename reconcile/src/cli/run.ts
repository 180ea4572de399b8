import { createEvents, openDatabase, type Database, type Person } from '@counterfoil/message-table';

import type { Difference } from '../difference.js';
import { reconcile } from '../reconcile.js';
import { repair } from '../repair.js';
import type { Databases } from '../routes.js';
import type { Listing } from './render.js';
import type { DatabaseUrls } from './which-system.js';

export interface RunOptions {
  readonly urls: DatabaseUrls;
  readonly inFlightMs: number;
  readonly days: number;
  /** In whose name differences are repaired; null: they are listed only. */
  readonly repairs: { readonly person: Person; readonly retentionMs: number } | null;
  readonly listing: Listing;
}

/** @returns the exit code: 0 no difference, 1 differences, 2 it cannot tell */
export async function runReconcile(options: RunOptions): Promise<0 | 1 | 2> {
  const { urls, inFlightMs, days, listing } = options;
  const databases: Databases = { order: open(urls.orderDb), inventory: open(urls.inventoryDb) };
  let found = 0;
  const onDifference = async (difference: Difference): Promise<void> => {
    found += 1;
    listing.add({ ...difference, repaired: await repaired(options, databases, difference) });
  };
  try {
    const looked = await reconcile({ databases, inFlightMs, days, onDifference });
    listing.end({ looked, inFlightMs }, null);
    return found === 0 ? 0 : 1;
  } catch (error) {
    listing.end(null, messageOf(error));
    return 2;
  } finally {
    await Promise.all([databases.order.close(), databases.inventory.close()]);
  }
}

async function repaired({ repairs }: RunOptions, databases: Databases, difference: Difference): Promise<string | null> {
  return repairs === null ? null : repair({ databases, ...repairs }, difference);
}

const open = (url: string): Database => openDatabase({ url, events: createEvents(), poolMax: 2 });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
