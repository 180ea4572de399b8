import { taskGroups } from '../producer/groups/parse-groups.js';
import { integer } from './setting-types.js';

/** What only relays read. */
export const RELAY_SETTINGS = {
  RELAY_RATE: {
    type: integer(0, 1_000_000),
    unit: 'msg/s',
    fallback: '500',
    help: 'of all task groups together; 0 for no limit',
  },
  RELAY_BATCH: {
    type: integer(1, 5_000),
    unit: 'messages',
    fallback: '200',
    help: 'claimed and in flight at once, in each task group; larger: fewer statements, more doubled by a crash',
  },
  RELAY_POLL_MS: {
    type: integer(10, 60_000),
    unit: 'ms',
    fallback: '500',
    help: 'rest of an idle relay; shorter finds messages sooner, and costs a query each time',
  },
  RELAY_GROUPS: {
    type: taskGroups,
    fallback: '',
    help: 'JSON list of task groups: groupId, houseNumbers, cron or fixedDelayMs, limit, rate; none is one group of all houses',
  },
} as const;
