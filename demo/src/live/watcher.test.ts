import { makePlan, seeded, show, type Sample } from '@counterfoil/chaos';
import type { Progress } from '@counterfoil/loadtest';

import type { LiveView } from './live-view.js';
import { Watcher } from './watcher.js';

const plan = makePlan(show, { rate: 1_000, warmUpSeconds: 10, seconds: 55, seed: 1, sabotage: null }, seeded(1));
const ALL = ['order-service-1', 'relay-1', 'broker'];
const recentMs = { count: 250, p50: 8, p90: 20, p99: 41, p999: 50, max: 60 };

const progress = (elapsedMs: number, ok: number): Progress => ({
  ...{ phase: 'measured', elapsedMs, attempted: ok, ok, fail: 0, info: 0, open: 0, recentMs },
});

const sample = (atMs: number, change: Partial<Sample> = {}): Sample => ({
  ...{ atMs, backlog: 0, queueDepth: 0, emptyClaims: 0, leasesLost: 0, cores: {}, foreignCores: 0 },
  ...{ sentBy: { 'order-service-1': atMs, 'relay-1': 0 }, consumedBy: { 'order-service-1': atMs }, running: ALL },
  ...change,
});

function watched() {
  const views: LiveView[] = [];
  const acts: string[] = [];
  const watcher = new Watcher({
    plan,
    onView: (view) => views.push(view),
    onAct: ({ head }, second) => acts.push(`${second.toFixed(1)} ${head}`),
  });
  watcher.onRecord({ atMs: 500, kind: 'phase', name: 'warm-up' });
  const last = (): LiveView => {
    const view = views.at(-1);
    if (view === undefined) throw new Error('Nothing was drawn');
    return view;
  };
  return { watcher, acts, last };
}

describe('watching a run', () => {
  it('when load and samples come in, then rates are what was counted in between', () => {
    const { watcher, last } = watched();
    for (const quarter of [0, 1, 2, 3, 4]) watcher.onLoad(progress(quarter * 250, quarter * 240));
    watcher.onSample(sample(1_000));
    watcher.onSample(sample(2_000, { backlog: 7 }));
    expect(last()).toMatchObject({
      orders: { perSecond: 960, ok: 960 },
      confirmed: { perSecond: 1_000, total: 2_000 },
      sentBy: [
        { name: 'fast path', perSecond: 1_000 },
        { name: 'relay-1', perSecond: 0 },
      ],
      waiting: 7,
      latencyMs: { p50: 8, p99: 41 },
    });
  });

  it('when a process does not answer or counts from zero again, then no number is made up', () => {
    const { watcher, last } = watched();
    watcher.onLoad(progress(1_000, 1_000));
    watcher.onSample(sample(1_000));
    watcher.onSample(sample(2_000, { sentBy: { 'relay-1': 5 }, consumedBy: { 'order-service-1': 3 } }));
    expect(last().sentBy[0]).toEqual({ name: 'fast path', perSecond: null });
    expect(last().confirmed.perSecond).toBeNull();
  });

  it('when the broker is killed, starts and is ready, then each is shown', () => {
    const { watcher, last } = watched();
    const [{ id, fault }] = plan.faults as [(typeof plan.faults)[number]];
    const broker = (): string | undefined => last().processes.find(({ name }) => name === 'broker')?.state;
    watcher.onLoad(progress(1_000, 1_000));
    watcher.onSample(sample(1_000));
    expect(broker()).toBe('up');
    watcher.onRecord({ atMs: 1_100, kind: 'fault', id, phase: 'begin', fault, effect: null });
    watcher.onRecord({ atMs: 1_110, kind: 'process', target: 'broker', what: 'exited', expected: true });
    watcher.onSample(sample(1_500, { running: ['order-service-1', 'relay-1'] }));
    expect(broker()).toBe('down');
    watcher.onSample(sample(2_000));
    expect(broker()).toBe('starting');
    watcher.onRecord({ atMs: 2_100, kind: 'fault', id, phase: 'end', fault, effect: { exits: 1 } });
    expect(broker()).toBe('up');
  });

  it('when a backlog has come and gone, then that is said once', () => {
    const { watcher, acts } = watched();
    const backlogs = [20, 300, 9_000, 4_000, null, 80, 20];
    backlogs.forEach((backlog, index) => {
      watcher.onSample(sample(index * 1_000, { backlog }));
    });
    expect(acts).toEqual(['0.0 All is well.', '4.5 Nothing waits any more.']);
  });
});
