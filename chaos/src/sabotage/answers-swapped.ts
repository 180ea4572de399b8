/** Removes: orders that are placed together are answered in the order in which they were asked for. */
import { replace } from './replace.js';

type Place = (options: unknown, requests: readonly unknown[]) => Promise<unknown[]>;

replace('order-service/place-orders', 'placeOrders', (original: Place): Place => async (options, requests) => {
  const [first, ...others] = await original(options, requests);
  return [...others, first];
});
