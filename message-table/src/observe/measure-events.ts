import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import { counter, SECONDS, TABLES } from './counter.js';
import type { MessageTableEvents } from './events.js';
import { measureAttempts } from './measure-attempts.js';
import { measureBroker } from './measure-broker.js';
import { measureGroups } from './measure-groups.js';
import { measureTables } from './measure-tables.js';

export function measureEvents(events: MessageTableEvents, registry: Registry): void {
  measureProducer(events, registry);
  measureAttempts(events, registry);
  measureFastPath(events, registry);
  measureOverdue(events, registry);
  measureConsumer(events, registry);
  measureInfrastructure(events, registry);
  measureChannels(events, registry);
  measureBroker(events, registry);
  measureGroups(events, registry);
  measureTables(events, registry);
}

function measureProducer(events: MessageTableEvents, registry: Registry): void {
  const accepted = counter(registry, 'messages_accepted_total', 'Messages inserted', { path: ['fast', 'relay'] });
  const settled = counter(registry, 'messages_settled_total', 'Outcomes written', {
    via: ['fast-path', 'relay'],
    to: ['SENT', 'PENDING', 'FAILED'],
  });
  const failed = counter(registry, 'attempts_failed_total', 'Attempts that did not end confirmed', {
    kind: ['refused', 'unknown', 'lacking', 'busy'],
  });
  const returned = counter(registry, 'messages_returned_total', 'Messages that no queue was bound for', {});
  const claimed = new Histogram({
    name: 'counterfoil_claim_seconds',
    help: 'One claim transaction',
    buckets: SECONDS,
    registers: [registry],
  });
  const emptyClaims = counter(registry, 'claims_empty_total', 'Claims that found nothing although rows were due', {});
  events.on('accepted', ({ count, fastPath }) => {
    accepted.inc({ path: 'fast' }, fastPath);
    accepted.inc({ path: 'relay' }, count - fastPath);
  });
  events.on('settled', ({ via, to, count }) => {
    settled.inc({ via, to }, count);
  });
  events.on('attemptFailed', ({ kind }) => {
    failed.inc({ kind });
  });
  events.on('messageReturned', () => {
    returned.inc();
  });
  events.on('claimed', ({ count, tookMs }) => {
    claimed.observe(tookMs / 1000);
    if (count === 0) emptyClaims.inc();
  });
}

function measureOverdue(events: MessageTableEvents, registry: Registry): void {
  const overdue = new Gauge({
    name: 'counterfoil_messages_overdue',
    help: 'Messages without an answer for longer than UNKNOWN_MAX_AGE_MS; at most five of each house are counted',
    registers: [registry],
  });
  events.on('overdue', ({ messages }) => {
    overdue.set(messages.length);
  });
}

function measureConsumer(events: MessageTableEvents, registry: Registry): void {
  const consumed = counter(registry, 'messages_consumed_total', 'Messages that took effect here', {});
  const duplicates = counter(registry, 'duplicates_total', 'Deliveries whose note was there already', {});
  const failed = counter(registry, 'consume_failed_total', 'Handlings that threw', { to: ['PENDING_RETRY', 'FAILED'] });
  const putAside = counter(
    registry,
    'messages_put_aside_total',
    "Messages noted without an attempt because they alone meet the database's own trouble",
    {},
  );
  const redelivered = counter(registry, 'redelivered_total', 'Redeliveries in place', {
    result: ['success', 'failed', 'lease-lost', 'put-off', 'published'],
  });
  const batchSeconds = new Histogram({
    name: 'counterfoil_consume_seconds',
    help: 'One consumed batch, note and effect and commit',
    buckets: SECONDS,
    registers: [registry],
  });
  events.on('consumed', ({ count, duplicates: repeated, tookMs }) => {
    consumed.inc(count);
    duplicates.inc(repeated);
    batchSeconds.observe(tookMs / 1000);
  });
  events.on('consumeFailed', ({ to }) => {
    failed.inc({ to });
  });
  events.on('putAside', () => {
    putAside.inc();
  });
  events.on('redelivered', ({ result }) => {
    redelivered.inc({ result });
  });
}

function measureInfrastructure(events: MessageTableEvents, registry: Registry): void {
  const leaseLost = counter(registry, 'leases_lost_total', 'Fenced updates that found the row changed', {
    table: TABLES,
  });
  const swept = counter(registry, 'leases_swept_total', 'Leases that ended without an outcome', { table: TABLES });
  const archived = counter(registry, 'messages_archived_total', 'Finished rows moved to the archive', {
    table: TABLES,
  });
  const retried = counter(registry, 'transactions_retried_total', 'Transactions repeated after 1205, 1213 or 1020', {});
  const unknown = counter(registry, 'commits_unknown_total', 'COMMITs that stayed unanswered', {});
  const loops = counter(registry, 'loop_errors_total', 'Passes of a loop that failed', {});
  events.on('leaseLost', ({ table }) => {
    leaseLost.inc({ table });
  });
  events.on('leasesSwept', ({ table, released, failed }) => {
    swept.inc({ table }, released + failed);
  });
  events.on('archived', ({ table, count }) => {
    archived.inc({ table }, count);
  });
  events.on('transactionRetried', () => {
    retried.inc();
  });
  events.on('commitUnknown', () => {
    unknown.inc();
  });
  events.on('loopFailed', () => {
    loops.inc();
  });
}

function measureFastPath(events: MessageTableEvents, registry: Registry): void {
  const full = new Counter({
    name: 'counterfoil_fast_path_rejected_total',
    help: 'Messages left to a relay because all places of their channel were taken',
    labelNames: ['channel'],
    registers: [registry],
  });
  const taken = new Gauge({
    name: 'counterfoil_fast_path_in_flight',
    help: 'Places taken on the fast path',
    labelNames: ['channel'],
    registers: [registry],
  });
  events.on('fastPathTaken', ({ channel, taken: count }) => {
    taken.set({ channel }, count);
    full.inc({ channel }, 0);
  });
  events.on('fastPathFull', ({ channel }) => {
    full.inc({ channel });
  });
}

function measureChannels(events: MessageTableEvents, registry: Registry): void {
  const up = new Gauge({
    name: 'counterfoil_channel_up',
    help: '1 while a channel can be used',
    labelNames: ['channel'],
    registers: [registry],
  });
  const blocked = new Gauge({
    name: 'counterfoil_channel_blocked',
    help: '1 while the broker does not read from us',
    labelNames: ['channel'],
    registers: [registry],
  });
  events.on('channelUp', ({ channel }) => {
    up.set({ channel }, 1);
  });
  events.on('channelDown', ({ channel }) => {
    up.set({ channel }, 0);
  });
  events.on('channelBlocked', ({ channel, blocked: isBlocked }) => {
    blocked.set({ channel }, isBlocked ? 1 : 0);
  });
}
