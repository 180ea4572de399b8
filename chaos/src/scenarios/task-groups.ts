import { numbered, type Scenario } from './scenario.js';

/** They share house 5, and both relays have both. */
const GROUPS = [
  { groupId: 'low', houseNumbers: [0, 1, 2, 3, 4, 5] },
  { groupId: 'high', houseNumbers: [5, 6, 7, 8, 9], rate: 700 },
];

export const taskGroups: Scenario = {
  name: 'task-groups',
  story:
    'Two relays share overlapping task groups; one group and one house are paused and resumed, and a relay is killed.',
  inCi: false,
  plan: () => ({
    settings: { FAST_PATH: 'off', RELAY_RATE: '1000', RELAY_GROUPS: JSON.stringify(GROUPS) },
    faults: numbered([
      { atMs: 2_000, fault: { kind: 'pause-sending', scope: 'group', name: 'low', forMs: 4_000 } },
      { atMs: 3_000, fault: { kind: 'kill', target: 'relay-1', backAfterMs: 1_000 } },
      { atMs: 8_000, fault: { kind: 'pause-sending', scope: 'house', name: '7', forMs: 3_000 } },
      { atMs: 9_000, fault: { kind: 'kill', target: 'relay-2', backAfterMs: 1_000 } },
    ]),
  }),
};
