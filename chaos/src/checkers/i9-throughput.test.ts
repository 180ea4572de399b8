import type { RunFacts, Sample } from '../facts.js';
import type { Plan } from '../plan.js';
import { aRun } from '../testkit/facts-builder.js';
import { throughput } from './i9-throughput.js';

interface Pace {
  readonly relays: number;
  /** Sent a second by each relay from second 1 on, and the backlog's growth. */
  readonly each: number;
  readonly grows: number;
  readonly startsAt?: number;
  readonly faults?: Plan['faults'];
}

const LIMITED = { FAST_PATH: 'off', RELAY_RATE: '2' };

/** Three orders a second met by relays that may send two a second each. */
function paced({ relays, each, grows, startsAt = 0, faults = [] }: Pace): RunFacts {
  const base = aRun({ faults });
  const samples = base.samples.map((sample, tick): Sample => {
    const seconds = tick / 2;
    const sentBy = Object.fromEntries(
      Array.from({ length: relays }, (_, n) => [`relay-${String(n + 1)}`, each * seconds]),
    );
    return { ...sample, sentBy, running: ['order-db', ...Object.keys(sentBy)], backlog: startsAt + grows * seconds };
  });
  const { world } = base.plan;
  return { ...base, samples, plan: { ...base.plan, world: { ...world, relays, settings: LIMITED } } };
}

describe('I9, throughput', () => {
  it('when one relay keeps its pace below the load, then the backlog grows and that is right', () => {
    expect(throughput(paced({ relays: 1, each: 2, grows: 1 }))).toMatchObject({ holds: true });
  });

  it('when two relays carry the load and work off what waits, then that is right', () => {
    expect(throughput(paced({ relays: 2, each: 2, grows: -1, startsAt: 20 }))).toMatchObject({ holds: true });
  });

  it.each([
    ['a relay carries less than it should', { relays: 1, each: 1, grows: 2 }, 'less than 2/s'],
    ['two relays carry less than the load', { relays: 2, each: 1, grows: 1 }, 'less than 3/s'],
    [
      'a relay sends more than its limit',
      { relays: 1, each: 3, grows: 0.1 },
      'relay-1 sent 3/s, more than its limit of 2/s',
    ],
    ['a relay is 7 % over its limit for seconds', { relays: 2, each: 2.14, grows: 0.1 }, 'more than its limit of 2/s'],
    ['a backlog falls where it must grow', { relays: 1, each: 2, grows: -1, startsAt: 20 }, 'should have grown'],
    ['a backlog grows where it must fall', { relays: 2, each: 2, grows: 1, startsAt: 20 }, 'should have fallen'],
  ])('when %s, then it is broken', (_what, pace, says) => {
    expect(throughput(paced(pace)).anomalies.join()).toContain(says);
  });

  it('when a relay is within 5 % of its limit, then that is right, and each is told against it', () => {
    expect(throughput(paced({ relays: 2, each: 2.08, grows: -1, startsAt: 20 }))).toMatchObject({
      holds: true,
      detail: '2 relays 4/s (relay-1 2, relay-2 2 of 2/s, +4.0 %)',
    });
  });

  it.each([
    ['the last two samples have', (tick: number) => tick >= 18],
    ['the first of a stretch has', (tick: number) => tick === 6],
  ])('when %s no counters, because the pages came late, then the pace is that of the others', (_what, isLate) => {
    const facts = paced({ relays: 2, each: 1.5, grows: 0 });
    const samples = facts.samples.map((sample, tick) => (isLate(tick) ? { ...sample, sentBy: {} } : sample));
    expect(throughput({ ...facts, samples })).toMatchObject({ holds: true });
  });

  it('when a relay never tells its counters, then it cannot be told', () => {
    const facts = paced({ relays: 2, each: 1.5, grows: 0 });
    const samples = facts.samples.map(({ sentBy, ...rest }) => ({
      ...rest,
      sentBy: { 'relay-1': sentBy['relay-1'] ?? 0 },
    }));
    expect(throughput({ ...facts, samples })).toMatchObject({ holds: null });
  });

  it('when a relay stops while another is killed, then it is broken', () => {
    const facts = aRun();
    const stopped = facts.samples.map((sample) => {
      const held = Math.min(sample.atMs, 7_000);
      return { ...sample, backlog: 5, sentBy: { ...sample.sentBy, 'relay-2': (held * 3) / 2_000 } };
    });
    expect(throughput({ ...facts, samples: stopped }).anomalies).toContain('relay-2 sent nothing when f1 (kill) began');
  });

  it('when relays are added and one could have carried it all, then it cannot be told', () => {
    const faults: Plan['faults'] = [{ id: 'f1', atMs: 7_000, fault: { kind: 'scale', target: 'relay', to: 3 } }];
    expect(throughput(paced({ relays: 2, each: 1.5, grows: 0, faults }))).toMatchObject({ holds: null });
    expect(throughput(paced({ relays: 1, each: 2, grows: 1, faults }))).toMatchObject({ holds: true });
  });

  it('when no stretch was calm for long enough, then it cannot be told', () => {
    expect(throughput({ ...aRun(), samples: [] }).holds).toBeNull();
    expect(throughput({ ...aRun(), history: [] }).holds).toBeNull();
  });
});
