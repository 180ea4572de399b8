import { createWorkload, INITIAL_STOCK, type LatencySummary } from '@counterfoil/loadtest';

import type { RunFacts, Sample } from '../facts.js';
import type { HistoryRecord } from '../history.js';
import type { Plan } from '../plan.js';
import { OrderStory } from './order-story.js';

export const ORDERS = 30;
const RATE = 3;
const WARM_UP_SECONDS = 2;
const SECONDS = 9;

/** Orders whose message was sent twice: relay-1 was killed before it could settle them. */
export const SENT_TWICE: readonly number[] = [4, 5];

/** A correct run of thirty orders in which relay-1 was killed in the middle of the load. */
export function aRun(change: Partial<Plan> = {}): RunFacts {
  const plan: Plan = { ...PLAN, ...change };
  const workload = createWorkload({ seed: plan.seed, orderCount: ORDERS });
  const stock = new Map(workload.productIds.map((id) => [id, INITIAL_STOCK]));
  const stories = Array.from(
    { length: ORDERS },
    (_, index) => new OrderStory(index, workload.order(index), SENT_TWICE.includes(index)),
  );
  const startStock = new Map(stock);
  const stockChanges = stories.map((story) => story.takeFrom(stock));
  return {
    plan,
    history: historyOf(stories, plan),
    load: LOAD,
    books: {
      ...{ startStock, endStock: stock, stockChanges },
      placed: stories.map((story) => story.placed()),
      orders: stories.map((story) => story.row()),
      orderMessages: stories.map((story) => story.message()),
      decisionMessages: stories.map((story) => story.decision()),
      deductionNotes: stories.map((story) => story.note()),
      decisionNotes: stories.map((story) => story.decisionNote()),
      transitions: stories.flatMap((story) => story.transitions()),
      actions: [],
      tap: new Map(stories.map((story) => [story.messageId, story.sentTwice ? 2 : 1])),
      decisionTap: new Map(stories.map((story) => [story.decisionId, 1])),
      http: null,
    },
    end: END,
    reconciliation: { differences: [], missing: null, left: [] },
    samples: samples(),
    logs: [],
  };
}

const PLAN: Plan = {
  scenario: 'relay-kill',
  seed: 7,
  sabotage: null,
  load: { rate: RATE, warmUpSeconds: WARM_UP_SECONDS, seconds: SECONDS, retries: 0, workload: 'powers' },
  world: {
    ...{ orderServices: 1, inventoryServices: 1, relays: 2, inventoryRelays: 1, links: [], tap: true },
    settings: { FAST_PATH: 'off', RELAY_BATCH: '2' },
  },
  faults: [{ id: 'f1', atMs: 7_000, fault: { kind: 'kill', target: 'relay-1', backAfterMs: 500 } }],
  requiredCells: ['after-publish-before-confirm × kill'],
  notJudged: {},
  expected: { plannedLoss: false, duplicatesAtMost: null },
};

const latencies = (p99: number): LatencySummary => ({ count: 27, p50: 2, p90: 3, p99, p999: p99, max: p99 });

const LOAD: RunFacts['load'] = {
  ...{ planned: ORDERS, attempted: ORDERS, ok: ORDERS, fail: 0, info: 0, rate: RATE, failed: [], unknown: [] },
  latencyMs: latencies(5),
  latenessMs: latencies(1),
};

const END: RunFacts['end'] = {
  settled: true,
  settledAfterMs: 900,
  queueDepths: { 'inventory.deduct': 0, 'inventory.dead': 0, 'order.deduction-decided': 0, 'order.dead': 0 },
  processesUp: { 'order-service-1': true, 'relay-1': true, 'relay-2': true },
  consumers: { 'inventory.deduct': 1, 'inventory.dead': 1, 'order.deduction-decided': 1, 'order.dead': 1 },
  unread: [],
};

function historyOf(stories: readonly OrderStory[], plan: Plan): HistoryRecord[] {
  return [
    { atMs: 0, kind: 'phase', name: 'warm-up' },
    { atMs: 1_000, kind: 'phase', name: 'load' },
    ...stories.map((story) => story.answered(RATE)),
    { atMs: 6_950, kind: 'step', target: 'relay-1', step: 'after-publish-before-confirm', messageId: null },
    ...plan.faults.flatMap(({ id, atMs, fault }): HistoryRecord[] => [
      { atMs, kind: 'fault', id, phase: 'begin', fault, effect: null },
      { atMs: atMs + 700, kind: 'fault', id, phase: 'end', fault, effect: { exits: 1, downMs: 500 } },
    ]),
    { atMs: 7_010, kind: 'process', target: 'relay-1', what: 'exited', expected: true },
    { atMs: 10_000, kind: 'phase', name: 'healing' },
    { atMs: 10_100, kind: 'phase', name: 'settling' },
    { atMs: 11_000, kind: 'phase', name: 'books' },
  ];
}

/** Two relays share the load; relay-1 counts from zero again after its death. */
function samples(): Sample[] {
  return Array.from({ length: 20 }, (_, tick) => {
    const atMs = tick * 500;
    const sent = (atMs * RATE) / 2_000;
    const sentBy = { 'relay-1': atMs > 7_000 ? sent - 10.5 : sent, 'relay-2': sent };
    const cores = { 'order-db': 0.2, 'relay-1': 0.1 };
    const seen = { sentBy, consumedBy: {}, running: ['order-db', 'relay-1', 'relay-2'], cores, foreignCores: 0.05 };
    return { atMs, backlog: 0, queueDepth: 0, emptyClaims: 0, leasesLost: 0, ...seen };
  });
}
