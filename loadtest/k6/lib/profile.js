// Pure: the same in k6 and in Node.

/** A product takes at most this many orders, of 4^0 … 4^14 pieces: the largest power of four within an INT. */
export const ORDERS_PER_PRODUCT = 15;
/** More than all orders of a product take even if each is deducted three times. */
export const INITIAL_STOCK = 4 ** 16;

/**
 * @typedef {{ toRate: number, seconds: number }} Stage  the rate changes evenly from the one before, orders a second
 * @typedef {{ says: string, startRate: number, stages: Stage[], warmUpSeconds: number, p99Ms: number,
 *   settings?: Record<string, string>, relays?: number }} Profile
 */

/**
 * The same shape with another peak, or another length.
 *
 * @param {Profile} profile
 * @param {{ rate?: number | undefined, seconds?: number | undefined }} wanted peak in orders a second; length in all, seconds
 * @returns {Profile}
 */
export function scaled(profile, { rate, seconds }) {
  const byRate = rate === undefined ? 1 : rate / peakOf(profile);
  const byTime = seconds === undefined ? 1 : seconds / secondsOf(profile);
  const rateOf = (/** @type {number} */ of) => Math.max(1, Math.round(of * byRate));
  return {
    ...profile,
    startRate: rateOf(profile.startRate),
    stages: profile.stages.map((stage) => ({ toRate: rateOf(stage.toRate), seconds: stage.seconds * byTime })),
    warmUpSeconds: profile.warmUpSeconds * byTime,
  };
}

/** @param {Profile} profile */
export const peakOf = ({ startRate, stages }) => Math.max(startRate, ...stages.map(({ toRate }) => toRate));

/** @param {Profile} profile */
export const secondsOf = ({ stages }) => stages.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * How many orders the profile asks for.
 *
 * @param {Profile} profile
 */
export function plannedOrders({ startRate, stages }) {
  let rate = startRate;
  let planned = 0;
  for (const { toRate, seconds } of stages) {
    planned += ((rate + toRate) / 2) * seconds;
    rate = toRate;
  }
  return Math.round(planned);
}

/** @param {number} orders */
export const productCount = (orders) => Math.max(1, Math.ceil(orders / ORDERS_PER_PRODUCT));

/**
 * What order number `index` asks for: neighbours take different products, and no two orders of a product take the same
 * power of four, so that the missing stock, written in base 4, spells how often each was deducted.
 *
 * @param {number} index
 * @param {{ firstProductId: number, products: number }} plan
 */
export const orderOf = (index, { firstProductId, products }) => ({
  productId: firstProductId + (index % products),
  quantity: 4 ** Math.floor(index / products),
});

/**
 * Reads from the stock that is left how often the orders of one product were deducted.
 *
 * @param {number} stock
 * @returns {{ deducted: number, doubled: number, unreadable: number }}
 */
export function deductionsOf(stock) {
  const counts = { deducted: 0, doubled: 0, unreadable: 0 };
  let missing = INITIAL_STOCK - stock;
  if (missing < 0 || missing >= 4 ** ORDERS_PER_PRODUCT) return { ...counts, unreadable: 1 };
  for (; missing > 0; missing = Math.floor(missing / 4)) {
    const times = missing % 4;
    if (times > 0) counts.deducted += 1;
    if (times > 1) counts.doubled += 1;
  }
  return counts;
}
