/** The named steps of the protocol at which a process can be crashed, halted or made to fail. */
export const STEPS = [
  'after-accept-before-commit',
  'after-commit-before-hand-over',
  'after-claim-before-publish',
  'after-publish-before-confirm',
  'after-confirm-before-settle',
  'after-deliver-before-commit',
  'after-commit-before-ack',
  'after-retry-claim-before-effect',
  'within-archive-batch',
] as const;

export type Step = (typeof STEPS)[number];

/** What a process is told to do when it next comes to a step. */
export interface Armed {
  readonly step: Step;
  readonly action: 'crash' | 'halt' | 'error';
}

/** How the harness and the fail-points of a process find each other: by two files named in its environment. */
export const ARM_FILE = 'CHAOS_ARM_FILE';
export const STEPS_FILE = 'CHAOS_STEPS_FILE';

/** How far the clock of a process is ahead of the machine's, ms. */
export const CLOCK_SKEW_MS = 'CHAOS_CLOCK_SKEW_MS';

/** One line of the steps file, written before the fail-point acts. */
export interface StepLine {
  /** Milliseconds since 1970: the harness and the process share the machine's clock. */
  readonly at: number;
  readonly step: Step;
  readonly action: Armed['action'];
}
