import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ARM_FILE, STEPS_FILE, type Armed, type StepLine } from '../fail-points/steps.js';
import type { Target } from '../plan.js';

export const FAIL_POINTS_PRELOAD = join(__dirname, '..', 'fail-points', 'preload.js');

/** The harness's end of the fail-points: arms them, and reads what was reached. */
export class FailPoints {
  /** Crashes of each process that were told by {@link endedAtStep}. */
  private readonly seen = new Map<Target, number>();

  constructor(
    private readonly folder: string,
    private readonly pidOf: (target: Target) => number | undefined,
  ) {}

  environment(target: Target): Record<string, string> {
    return { [ARM_FILE]: this.file(target, 'arm'), [STEPS_FILE]: this.file(target, 'steps') };
  }

  /**
   * Asked once at each end of a process: whether that was a crash at a step. Each such line in its file stands for one end; being
   * armed is no excuse for one that ended otherwise.
   */
  endedAtStep(target: Target): boolean {
    const crashes = this.crashes(target);
    const isNew = crashes > (this.seen.get(target) ?? 0);
    this.seen.set(target, crashes);
    return isNew;
  }

  /** How often it crashed at a step. */
  crashes(target: Target): number {
    return this.reached([target]).filter(({ action }) => action === 'crash').length;
  }

  /** Takes back what {@link arm} said: a process that never came to its step would else act on it at any later time. */
  standDown(target: Target): void {
    this.tell(target, null);
  }

  arm(target: Target, armed: Armed): void {
    this.tell(target, armed);
  }

  private tell(target: Target, armed: Armed | null): void {
    const pid = this.pidOf(target);
    if (pid === undefined) return;
    writeFileSync(this.file(target, 'arm'), JSON.stringify(armed));
    process.kill(pid, 'SIGUSR2');
  }

  /** Every step that was reached and acted on, by process. */
  reached(targets: readonly Target[]): (StepLine & { readonly target: Target })[] {
    return targets.flatMap((target) =>
      this.lines(target).map((line) => ({ target, ...(JSON.parse(line) as StepLine) })),
    );
  }

  private lines(target: Target): string[] {
    try {
      return readFileSync(this.file(target, 'steps'), 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    } catch {
      return []; // it never came to a step that it was armed for
    }
  }

  private file(target: Target, kind: string): string {
    return join(this.folder, `${target}.${kind}`);
  }
}
