import { replayMessage, retryMessage, retryNote, type ActionResult, type Person } from '@counterfoil/message-table';

import { MEANINGS, type Difference } from './difference.js';
import { ROUTES, type Databases } from './routes.js';

/** not-repairable: no replay mends it; wait: it mends itself. Else what the recorded action came to. */
export type Repaired = ActionResult | 'not-repairable' | 'wait';

export interface RepairOptions {
  readonly databases: Databases;
  readonly person: Person;
  /** How long the services keep their notes: an older message could take effect a second time, and is left alone. */
  readonly retentionMs: number;
}

/**
 * What a person may do about a difference, done in the person's name and recorded by the component itself. Twice is
 * as good as once: the second finds the state moved.
 *
 * @throws the driver's error; COMMIT_UNKNOWN when it may have happened: look again
 */
export async function repair(
  { databases, person, retentionMs }: RepairOptions,
  { kind, route: name, messageId }: Difference,
): Promise<Repaired> {
  const { remedy } = MEANINGS[kind];
  const { from, to, consumer } = ROUTES[name];
  if (messageId === null) return 'not-repairable';
  switch (remedy) {
    case 'replay':
      return replayMessage(databases[from], messageId, person, retentionMs);
    case 'retry':
      return retryMessage(databases[from], messageId, person, retentionMs);
    case 'retry-note':
      return retryNote(databases[to], { messageId, consumer }, person, retentionMs);
    case 'wait':
      return 'wait';
    case 'by-hand':
      return 'not-repairable';
  }
}
