import exec from 'k6/execution';
import http from 'k6/http';
import { sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';

import { orderOf } from './profile.js';

const NOTHING_HAPPENED = new Set([400, 413, 415, 422, 429]);
/** k6's numbers for a connection that never came to be. */
const NOT_CONNECTED = new Set([1210, 1211, 1212]);
const REPEATS = 5;

const ok = new Counter('orders_ok');
const refused = new Counter('orders_refused');
const unknown = new Counter('orders_unknown');
const latency = new Trend('order_latency', true);

/**
 * Places the order of this iteration under a key of its own, and repeats it with the key while its outcome is unknown.
 *
 * @param {{ orderUrl: string, run: string, firstProductId: number, products: number, warmUpMs: number }} plan
 */
export function placeOrder(plan) {
  const index = exec.scenario.iterationInTest;
  const isMeasured = Date.now() - exec.scenario.startTime >= plan.warmUpMs;
  const request = {
    headers: { 'content-type': 'application/json', 'idempotency-key': `${plan.run}-${index}` },
    timeout: '10s',
  };
  const startedMs = Date.now();
  let doubted = false;
  for (let tries = 0; tries <= REPEATS; tries += 1) {
    const outcome = outcomeOf(http.post(`${plan.orderUrl}/orders`, JSON.stringify(orderOf(index, plan)), request));
    if (outcome === 'ok') {
      ok.add(1);
      if (isMeasured) latency.add(Date.now() - startedMs);
      return;
    }
    // Once in doubt, a later refusal says nothing of the first attempt.
    if (outcome === 'refused' && !doubted) {
      refused.add(1);
      return;
    }
    doubted = true;
    sleep(1);
  }
  unknown.add(1);
}

/**
 * @param {import('k6/http').Response} response
 * @returns {'ok' | 'refused' | 'unknown'}
 */
function outcomeOf(response) {
  const { status, error_code: errorCode } = response;
  if (status === 200 || status === 201) return 'ok';
  if (NOTHING_HAPPENED.has(status) || NOT_CONNECTED.has(errorCode)) return 'refused';
  return status === 503 && String(response.body).includes('"not-accepted"') ? 'refused' : 'unknown';
}
