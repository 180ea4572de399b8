import { askedOrders } from '../../checkers/asked-orders.js';
import { faultWindows, overlaps } from '../../checkers/fault-windows.js';
import type { PlacedOrder, RunFacts } from '../../facts.js';
import type { HistoryRecord } from '../../history.js';
import { effectText, faultLabel, ms } from '../words.js';
import { event, type LifeEvent } from './event.js';
import { messageLife, noteLife } from './message-life.js';
import type { Subject } from './subject.js';

/** A fault that begins this long after the answer may still meet the order's messages. */
const LATER_MS = 2_000;

/** Everything that any witness knows of an order, in the order in which it should have happened. */
export function orderLife(facts: RunFacts, { index, orderId }: Extract<Subject, { kind: 'order' }>): LifeEvent[] {
  const { books, history } = facts;
  const placed = books.placed.filter((one) => one.orderId === orderId || (index !== null && one.index === index));
  const rows = books.orders.filter((one) => one.orderId === orderId);
  const deductions = books.orderMessages.filter((one) => one.orderId === orderId);
  const decisions = books.decisionMessages.filter((one) => one.orderId === orderId);
  const ids = new Set([...rows, ...deductions, ...decisions].map(({ messageId }) => messageId));
  return [
    ...answers(history, index),
    ...placed.map((one) => event('order ledger', `placed: ${orderText(one)}`)),
    ...(placed.length === 0 ? [event('order ledger', 'nothing: it was never placed')] : []),
    ...rows.map(({ status, messageId, idempotencyKey }) =>
      event('orders', `${status}, message ${messageId}, key ${idempotencyKey ?? 'none'}`),
    ),
    ...history.filter((r) => r.kind === 'step' && ids.has(r.messageId ?? '')).map(stepEvent),
    ...deductions.flatMap((row) => messageLife(books, 'order', row)),
    ...noteLife(books, 'inventory', books.deductionNotes, new Set([...rows, ...deductions].map((r) => r.messageId))),
    ...stockTaken(facts, placed, index),
    ...decisions.flatMap((row) => messageLife(books, 'inventory', row)),
    ...noteLife(books, 'order', books.decisionNotes, new Set(decisions.map((r) => r.messageId))),
    ...books.actions
      .filter(({ messageId }) => ids.has(messageId))
      .map(({ database, action, messageId }) => event(`${database} actions`, `${action} of ${messageId}`)),
  ];
}

function answers(history: readonly HistoryRecord[], index: number | null): LifeEvent[] {
  const found = history.filter((record) => record.kind === 'order').filter((record) => record.index === index);
  if (found.length === 0) return [event('client', 'no answer in the history')];
  const told = found.flatMap(({ atMs, latencyMs, outcome, orderId }) => [
    event('client', `order ${String(index)} was due`, atMs - latencyMs),
    event('client', `answered ${outcome} after ${ms(latencyMs)}${orderId === null ? '' : `: ${orderId}`}`, atMs),
    ...faultsMet(history, atMs - latencyMs, atMs),
  ]);
  return told.sort((one, other) => (one.atMs ?? 0) - (other.atMs ?? 0));
}

const faultsMet = (history: readonly HistoryRecord[], dueMs: number, answeredMs: number): LifeEvent[] =>
  faultWindows(history)
    .filter((window) => overlaps(window, dueMs, answeredMs + LATER_MS))
    .map((window) => event('nemesis', `${faultLabel(window)}: ${effectText(window.effect ?? {})}`, window.fromMs));

const stepEvent = (record: HistoryRecord): LifeEvent =>
  record.kind === 'step' ? event(record.target, record.step, record.atMs) : event('', '');

const orderText = ({ orderId, productId, quantity }: PlacedOrder): string =>
  `order ${orderId}, product ${String(productId)}, quantity ${String(quantity)}`;

/** Of the order as it was placed, or else as it was asked for. */
function stockTaken(facts: RunFacts, placed: readonly PlacedOrder[], index: number | null): LifeEvent[] {
  const asked = index === null ? null : (askedOrders(facts)?.order(index) ?? null);
  const wanted = placed[0] ?? asked;
  if (wanted === null || facts.plan.load.workload !== 'powers') return [];
  const { productId, quantity } = wanted;
  const changes = facts.books.stockChanges.filter((change) => change.productId === productId);
  const taken = changes.flatMap(({ before, after }) => {
    const times = timesIn(before - after, quantity);
    return times > 0n
      ? [event('stock ledger', `${String(before)} → ${String(after)}: this order ${String(times)} ×`)]
      : [];
  });
  return taken.length > 0 ? taken : [event('stock ledger', 'nothing: its stock was never taken')];
}

/** Quantities are different powers of four, so a change of the stock, written in base 4, names the orders in it. */
const timesIn = (taken: bigint, quantity: number): bigint => (taken / BigInt(quantity)) % 4n;
