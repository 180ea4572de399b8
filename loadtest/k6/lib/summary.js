// Pure: the same in k6 and in Node.
import { peakOf, plannedOrders, secondsOf } from './profile.js';

/**
 * @typedef {import('./profile.js').Profile} Profile
 * @typedef {{ p50: number, p90: number, p99: number, p999: number, max: number }} Latency
 * @typedef {{ products: number, deducted: number, doubled: number, unreadable: number }} Books
 * @typedef {{ tool: string, url: string, attempted: number, ok: number, refused: number, unknown: number, dropped: number,
 *   latencyMs: Latency, books: Books }} Measured  latency is that of accepted orders after the warm-up
 * @typedef {{ name: string, says: string, value: number, atLeast?: number, atMost?: number, holds: boolean }} Threshold
 */

/** Of all planned orders. */
const OK_SHARE = 0.999;
const DROPPED_SHARE = 0.001;

/**
 * What must hold. A run that placed nothing passes none of the first three.
 *
 * @param {Profile} profile
 */
export function limitsOf(profile) {
  const planned = plannedOrders(profile);
  const enough = Math.floor(planned * OK_SHARE);
  return {
    ok: { says: 'orders accepted', atLeast: Math.max(1, enough) },
    deducted: { says: 'orders deducted from the stock', atLeast: Math.max(1, enough) },
    products: { says: 'products counted', atLeast: 1 },
    refused: { says: 'orders refused', atMost: planned - enough },
    unknown: { says: 'orders of unknown outcome', atMost: 0 },
    dropped: { says: 'orders that the load did not start', atMost: Math.floor(planned * DROPPED_SHARE) },
    p99: { says: '99 % accepted within, ms', atMost: profile.p99Ms },
    doubled: { says: 'orders deducted twice', atMost: 0 },
    unreadable: { says: 'products with a stock that no orders explain', atMost: 0 },
    difference: { says: 'accepted orders less deducted ones', atLeast: 0, atMost: 0 },
  };
}

/**
 * @param {string} name
 * @param {Profile} profile
 * @param {Measured} measured
 */
export function makeSummary(name, profile, measured) {
  const { books, latencyMs, ...counts } = measured;
  const values = { ...counts, ...books, p99: latencyMs.p99, difference: measured.ok - books.deducted };
  const thresholds = Object.entries(limitsOf(profile)).map(([key, limit]) =>
    judged(key, limit, values[/** @type {keyof typeof values} */ (key)]),
  );
  return {
    profile: name,
    ...counts,
    planned: plannedOrders(profile),
    peakRate: peakOf(profile),
    seconds: secondsOf(profile),
    latencyMs,
    books,
    thresholds,
    holds: thresholds.every(({ holds }) => holds),
  };
}

/**
 * @param {string} name
 * @param {{ says: string, atLeast?: number, atMost?: number }} limit
 * @param {unknown} value
 * @returns {Threshold}
 */
function judged(name, limit, value) {
  const { atLeast = -Infinity, atMost = Infinity } = limit;
  const known = typeof value === 'number' && !Number.isNaN(value);
  return { name, ...limit, value: known ? value : -1, holds: known && value >= atLeast && value <= atMost };
}

/** @param {ReturnType<typeof makeSummary>} summary */
export function summaryText(summary) {
  const { latencyMs: ms, thresholds } = summary;
  const latency = [ms.p50, ms.p90, ms.p99, ms.p999, ms.max].map((each) => each.toFixed(1).padStart(9)).join('');
  return [
    '',
    `  ${summary.profile}: ${count(summary.planned)} orders in ${summary.seconds.toFixed(0)} s, at most ${count(summary.peakRate)} a second (${summary.tool})`,
    '',
    `  accepted ${count(summary.ok)} · refused ${count(summary.refused)} · unknown ${count(summary.unknown)} · not started ${count(summary.dropped)}`,
    '',
    '                              p50      p90      p99    p99.9      max',
    `  accepted within, ms   ${latency}`,
    '',
    ...thresholds.map(thresholdLine),
    '',
    summary.holds ? '  Every threshold holds.' : '  A threshold does not hold.',
    '',
  ].join('\n');
}

/** @param {Threshold} threshold */
function thresholdLine({ says, value, atLeast, atMost, holds }) {
  const wanted =
    atLeast === atMost ? `${atLeast}` : atLeast === undefined ? `at most ${atMost}` : `at least ${count(atLeast)}`;
  const shown = Number.isInteger(value) ? count(value) : value.toFixed(1);
  return `  ${holds ? '✓' : '✗'} ${says.padEnd(46)} ${shown.padStart(10)}   ${wanted}`;
}

/** @param {number} of */
const count = (of) => String(of).replace(/\B(?=(\d{3})+$)/g, ',');
