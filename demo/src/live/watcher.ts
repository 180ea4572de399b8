import type { HistoryRecord, Plan, RunListener, Sample, Target } from '@counterfoil/chaos';
import { targetOf } from '@counterfoil/chaos';
import type { Progress } from '@counterfoil/loadtest';

import type { LiveView, Stage } from './live-view.js';
import { confirmedSoFar, okPerSecond, perSecond, processViews, sentByRates, waitingOver } from './numbers.js';
import { actOf, BACKLOG_GONE, type Act } from './words.js';

export interface WatcherOptions {
  readonly plan: Plan;
  readonly onView: (view: LiveView) => void;
  /** With the second of the load in which it begins. */
  readonly onAct: (act: Act, second: number) => void;
}

type Fault = Plan['faults'][number]['fault'];

const RATE_OVER_LOOKS = 4;
/** Fewer than this are the breath of the fast path and no backlog. */
const BACKLOG = 500;
const GONE = 100;

/** Listens to a run and makes of it what a viewer sees. */
export class Watcher implements RunListener {
  private readonly loads: Progress[] = [];
  private readonly samples: Sample[] = [];
  private readonly inForce = new Map<string, Fault>();
  /** Ended, and not said to be ready again. */
  private readonly away = new Set<Target>();
  private stage: Stage = 'load';
  private startedMs = 0;
  private hadBacklog = false;
  private confirmed = 0;

  constructor(private readonly options: WatcherOptions) {}

  readonly onLoad = (progress: Progress): void => {
    this.loads.push(progress);
    this.show();
  };

  readonly onSample = (sample: Sample): void => {
    this.samples.push(sample);
    const { backlog } = sample;
    this.confirmed = confirmedSoFar(sample) ?? this.confirmed;
    if (backlog !== null && backlog > BACKLOG) this.hadBacklog = true;
    if (this.hadBacklog && backlog !== null && backlog < GONE) {
      this.hadBacklog = false;
      this.options.onAct(BACKLOG_GONE, this.secondOf(sample.atMs));
    }
    this.show();
  };

  readonly onRecord = (record: HistoryRecord): void => {
    if (record.kind === 'phase') this.enter(record.name, record.atMs);
    if (record.kind === 'process' && record.what === 'exited') this.away.add(record.target);
    if (record.kind === 'fault' && record.phase === 'begin') this.inForce.set(record.id, record.fault);
    const act = actOf(record, this.options.plan, [...this.inForce.values()]);
    if (record.kind === 'fault' && record.phase === 'end') {
      this.inForce.delete(record.id);
      this.away.delete(targetOf(record.fault) ?? '');
    }
    if (act !== null) this.options.onAct(act, this.secondOf(record.atMs));
    this.show();
  };

  private enter(phase: Extract<HistoryRecord, { kind: 'phase' }>['name'], atMs: number): void {
    if (phase === 'warm-up') this.startedMs = atMs;
    if (phase === 'healing' || phase === 'settling') this.stage = 'settling';
    if (phase === 'books') this.stage = 'books';
    // Whatever a fault left dead is up when healing is over.
    if (phase === 'settling') this.away.clear();
  }

  private secondOf(atMs: number): number {
    return Math.max(0, (atMs - this.startedMs) / 1000);
  }

  private show(): void {
    const { samples, options } = this;
    const { warmUpSeconds, seconds } = options.plan.load;
    const load = this.loads.at(-1);
    if (load === undefined) return;
    const lookedSecond = this.secondOf(samples.at(-1)?.atMs ?? this.startedMs);
    options.onView({
      stage: this.stageWith(load),
      ...{ seconds: Math.max(load.elapsedMs / 1000, lookedSecond), totalSeconds: warmUpSeconds + seconds },
      orders: { perSecond: this.ordersPerSecond(load), ok: load.ok, fail: load.fail, info: load.info },
      confirmed: { perSecond: perSecond(samples, confirmedSoFar), total: this.confirmed },
      waiting: samples.at(-1)?.backlog ?? null,
      waitingBefore: waitingOver(samples, this.startedMs),
      latencyMs: load.recentMs,
      sentBy: sentByRates(samples),
      processes: processViews(samples, this.away),
    });
  }

  /** The load may be over before the last fault is. */
  private stageWith({ phase, open }: Progress): Stage {
    return this.stage === 'load' && phase === 'draining' && open === 0 ? 'settling' : this.stage;
  }

  private ordersPerSecond(load: Progress): number | null {
    const before = this.loads.at(-1 - RATE_OVER_LOOKS) ?? this.loads[0];
    return before === undefined || this.stageWith(load) !== 'load' ? null : okPerSecond(before, load);
  }
}
