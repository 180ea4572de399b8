import { Counter, Gauge, type Registry } from 'prom-client';

import type { MessageTableEvents } from './events.js';

const LABELS = ['group'] as const;

/** What a relay does, by task group. The label's values are those of RELAY_GROUPS, so they are few. */
export function measureGroups(events: MessageTableEvents, registry: Registry): void {
  const registers = [registry];
  const claimed = new Counter({
    name: 'counterfoil_group_claimed_total',
    help: 'Messages claimed',
    labelNames: LABELS,
    registers,
  });
  const sent = new Counter({
    name: 'counterfoil_group_sent_total',
    help: 'Messages confirmed and settled',
    labelNames: LABELS,
    registers,
  });
  const next = new Gauge({
    name: 'counterfoil_group_next_firing_seconds',
    help: 'When a group with a schedule takes messages next, seconds since 1970',
    labelNames: LABELS,
    registers,
  });
  events.on('groupsServed', ({ groups }) => {
    for (const group of groups) for (const counter of [claimed, sent]) counter.inc({ group }, 0);
  });
  events.on('claimed', ({ group, count }) => claimed.inc({ group }, count));
  events.on('groupSent', ({ group, count }) => sent.inc({ group }, count));
  events.on('nextFiring', ({ group, atMs }) => next.set({ group }, atMs / 1000));
  measureStandstills(events, registry);
}

function measureStandstills(events: MessageTableEvents, registry: Registry): void {
  const registers = [registry];
  const unserved = new Gauge({
    name: 'counterfoil_houses_unserved',
    help: 'House numbers that no task group of this process has; another process may have them',
    registers,
  });
  const paused = new Gauge({
    name: 'counterfoil_pauses',
    help: 'Pauses in force, as this process sees them',
    labelNames: ['scope'],
    registers,
  });
  events.on('groupsServed', ({ unservedHouses }) => unserved.set(unservedHouses.length));
  events.on('pausesChanged', ({ inForce }) => {
    for (const scope of ['channel', 'destination', 'house', 'group'] as const)
      paused.set({ scope }, inForce.filter((pause) => pause.scope === scope).length);
  });
}
