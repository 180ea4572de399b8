import { idRange, nameOrNone } from './setting-types.js';

/** For a service whose rows live in several databases, each with processes of its own. */
export const SHARD_SETTINGS = {
  ORDER_SHARD: {
    type: nameOrNone,
    fallback: '',
    help: 'which of several order databases this is: its decisions come to a queue of its own',
  },
  WORKER_IDS: {
    type: idRange(0, 1_023),
    fallback: '0-1023',
    help: 'worker ids to lease one from; ids of two databases differ for certain only when their ranges do',
  },
} as const;
