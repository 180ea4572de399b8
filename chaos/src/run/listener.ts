import type { Progress } from '@counterfoil/loadtest';

import type { Sample } from '../facts.js';
import type { HistoryRecord } from '../history.js';

/** Is told of a run as it goes on, at once and in the run's own process: it must be quick. */
export interface RunListener {
  /** Four times a second, from the load itself. */
  readonly onLoad: (progress: Progress) => void;
  /** Twice a second, from the load's beginning until everything is final. */
  readonly onSample: (sample: Sample) => void;
  /** Phases, faults and exits of processes, each when it happens. The outcomes of orders are only read after the load. */
  readonly onRecord: (record: HistoryRecord) => void;
}
