import { peakOf, plannedOrders, scaled, secondsOf } from './profile.js';
import { PROFILES } from './profiles.js';
import { limitsOf } from './summary.js';

const numberOf = (/** @type {string | undefined} */ text) => (text ? Number(text) : undefined);

/** @param {string} name */
export function profileOf(name) {
  const profile = PROFILES[name];
  if (profile === undefined) throw new Error(`There is no profile ${name}`);
  return scaled(profile, { rate: numberOf(__ENV['RATE']), seconds: numberOf(__ENV['SECONDS']) });
}

/**
 * Open model: an order starts when it is due, whatever the answers before it do; what k6 has no VU for it drops and counts.
 *
 * @param {string} name
 * @returns {import('k6/options').Options}
 */
export function optionsFor(name) {
  const profile = profileOf(name);
  return {
    discardResponseBodies: false,
    setupTimeout: '15m',
    teardownTimeout: '30m',
    summaryTrendStats: ['med', 'p(90)', 'p(99)', 'p(99.9)', 'max'],
    scenarios: { [name]: scenarioOf(profile) },
    thresholds: thresholdsOf(profile),
  };
}

/**
 * @param {import('./profile.js').Profile} profile
 * @returns {import('k6/options').Scenario}
 */
function scenarioOf(profile) {
  const peak = peakOf(profile);
  const vus = { timeUnit: '1s', preAllocatedVUs: Math.max(20, Math.ceil(peak / 2)), maxVUs: Math.max(50, 4 * peak) };
  const isSteady = profile.stages.every(({ toRate }) => toRate === profile.startRate);
  return isSteady
    ? {
        executor: 'constant-arrival-rate',
        rate: profile.startRate,
        duration: `${secondsOf(profile).toFixed(3)}s`,
        gracefulStop: '60s',
        ...vus,
      }
    : {
        executor: 'ramping-arrival-rate',
        startRate: profile.startRate,
        stages: profile.stages.map(({ toRate, seconds }) => ({ target: toRate, duration: `${seconds.toFixed(3)}s` })),
        gracefulStop: '60s',
        ...vus,
      };
}

/** k6's own verdict, 99 when one fails. That nothing was lost, `difference`, only the summary can tell. */
const thresholdsOf = (/** @type {import('./profile.js').Profile} */ profile) => {
  const { ok, deducted, products, refused, unknown, dropped, p99, doubled, unreadable } = limitsOf(profile);
  return {
    iterations: [`count>=${Math.floor(plannedOrders(profile) * 0.99)}`],
    orders_ok: [`count>=${ok.atLeast}`],
    orders_refused: [`count<=${refused.atMost}`],
    orders_unknown: [`count<=${unknown.atMost}`],
    dropped_iterations: [`count<=${dropped.atMost}`],
    order_latency: [`p(99)<=${p99.atMost}`],
    books_products: [`count>=${products.atLeast}`],
    books_deducted: [`count>=${deducted.atLeast}`],
    books_doubled: [`count<=${doubled.atMost}`],
    books_unreadable: [`count<=${unreadable.atMost}`],
  };
};
