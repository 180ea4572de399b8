import { numbered, type Scenario } from './scenario.js';

/**
 * Sent messages are archived after two seconds; notes must outlive every copy that may still come, which an ended lease
 * delays by seconds.
 */
const SMALL_RETENTION = { RETENTION_SENT_MS: '2000', RETENTION_INBOX_MS: '15000', RETENTION_ARCHIVE_DAYS: '1' };

const TARGETS = ['relay-1', 'relay-2', 'inventory-relay-1'];
const BACK_AFTER_MS = 500;

export const archiveUnderLoad: Scenario = {
  name: 'archive-under-load',
  story:
    'What is sent is archived while the load runs, relays die in the middle of a batch, and a day that is over is dropped: each message is in one of the two tables, once.',
  inCi: false,
  plan: (_options, random) => ({
    settings: SMALL_RETENTION,
    faults: numbered([
      // Relays that start again keep the partitions.
      { atMs: 500, fault: { kind: 'old-partition', forMs: 8_500 } },
      ...TARGETS.map((target, index) => ({
        atMs: 2_500 + index * 2_000 + random.integer(0, 500),
        fault: { kind: 'crash-at' as const, target, step: 'within-archive-batch' as const, backAfterMs: BACK_AFTER_MS },
      })),
    ]),
    requiredCells: ['within-archive-batch × kill'],
  }),
};
