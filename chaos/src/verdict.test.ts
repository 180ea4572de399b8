import type { Invariant, RunFacts } from './facts.js';
import type { HistoryRecord } from './history.js';
import { aRun } from './testkit/facts-builder.js';
import { outcome, withEnd, withHistory } from './testkit/mutate.js';
import { EXIT_CODES, judge } from './verdict.js';

const said = (holds: boolean | null) => (): Invariant => ({ id: 'I1', holds, detail: 'said', anomalies: [] });
const isFault = (record: HistoryRecord): boolean => record.kind === 'fault';

function doubtsAbout(facts: RunFacts): readonly string[] {
  const { verdict, reasons } = judge(facts, { I1: said(true) });
  expect(verdict).toBe('unknown');
  return reasons;
}

describe('the verdict', () => {
  it('when everything fits, then the run is valid and nothing is left untold', () => {
    const { verdict, reasons, invariants } = judge(aRun());
    expect(reasons).toEqual([]);
    expect(invariants.map(({ id, holds }) => `${id} ${String(holds)}`)).toEqual(
      Array.from({ length: 17 }, (_, index) => `I${String(index + 1)} true`),
    );
    expect(verdict).toBe('valid');
  });

  it('when something is broken and something else cannot be told, then the run is invalid and says both', () => {
    const { verdict, reasons } = judge(aRun(), { I1: said(null), I2: said(false) });
    expect({ verdict, reasons: reasons.length }).toEqual({ verdict: 'invalid', reasons: 2 });
    expect(judge(aRun(), { I1: said(null), I2: said(true) }).verdict).toBe('unknown');
    expect(EXIT_CODES).toEqual({ valid: 0, invalid: 1, unknown: 2 });
  });

  it('when a checker crashes, then the run is unknown', () => {
    const crash = (): Invariant => {
      throw new Error('boom');
    };
    expect(judge(aRun(), { I3: crash })).toMatchObject({
      verdict: 'unknown',
      reasons: ['I3: the checker crashed: boom'],
    });
  });

  it('when a scenario does not judge an invariant, then it is left out, with the reason', () => {
    const { invariants, notJudged } = judge(aRun({ notJudged: { I1: 'because' } }), { I1: said(false) });
    expect(invariants).toEqual([]);
    expect(notJudged).toEqual({ I1: 'because' });
  });

  it.each([
    [
      'the load fell short',
      (facts: RunFacts) => ({ ...facts, load: { ...facts.load, rate: 2.9 } }),
      /fell short: 3 of 3/,
    ],
    ['orders were left out', (facts: RunFacts) => ({ ...facts, load: { ...facts.load, attempted: 29 } }), /29 of 30/],
    ['nothing was acknowledged', (facts: RunFacts) => ({ ...facts, load: { ...facts.load, ok: 0 } }), /no order was/],
    ['a part was not read', (facts: RunFacts) => withEnd(facts, { unread: ['actions: gone'] }), /not read: actions/],
    ['a file was not written', (facts: RunFacts) => withEnd(facts, { unwritten: ['f: full'] }), /not written: f: full/],
    ['a fault never came', (facts: RunFacts) => withHistory(facts, (r) => (isFault(r) ? null : r)), /never begun/],
    [
      'a fault never ended',
      (facts: RunFacts) => withHistory(facts, (r) => (r.kind === 'fault' && r.phase === 'end' ? null : r)),
      /never ended/,
    ],
    [
      'a fault came after the load',
      (facts: RunFacts) => withHistory(facts, (r) => (r.kind === 'fault' ? { ...r, atMs: r.atMs + 4_000 } : r)),
      /no orders came any more/,
    ],
    [
      'a fault did nothing',
      (facts: RunFacts) =>
        withHistory(facts, (r) => (r.kind === 'fault' ? { ...r, effect: { exits: 0, downMs: 500 } } : r)),
      /not injected/,
    ],
    [
      'a required cell was not hit',
      (facts: RunFacts) => withHistory(facts, (r) => (r.kind === 'step' ? null : r)),
      /cell .* never hit/,
    ],
    ['nothing was sampled', (facts: RunFacts) => ({ ...facts, samples: [] }), /nothing was sampled/],
    [
      'others used the CPU',
      (facts: RunFacts) => ({ ...facts, samples: facts.samples.map((s) => ({ ...s, foreignCores: 0.4 })) }),
      /0.40 cores/,
    ],
  ])('when %s, then the run is unknown', (_what, change, says) => {
    expect(doubtsAbout(change(aRun())).join()).toMatch(says);
  });

  it('when the generator was late, then a run without faults is unknown; under faults it may be', () => {
    const late = (facts: RunFacts): RunFacts => ({
      ...facts,
      load: { ...facts.load, latenessMs: { ...facts.load.latenessMs, p99: 20 } },
    });
    expect(doubtsAbout(late(aRun({ faults: [] }))).join()).toContain('late: p99 20 ms');
    expect(outcome(late(aRun())).verdict).toBe('valid');
  });
});
