import type { RunFacts } from '../facts.js';
import type { GoesOn } from '../plan.js';
import { aRun } from '../testkit/facts-builder.js';
import { withHistory } from '../testkit/mutate.js';
import { goesOn } from './i18-goes-on.js';

const expecting = (wanted: GoesOn, atMs = 7_000): RunFacts =>
  aRun({
    expected: { ...aRun().plan.expected, goesOn: wanted },
    faults: aRun().plan.faults.map((one) => ({ ...one, atMs })),
  });
const ODD: GoesOn = { processes: ['relay-2'], orders: { first: 1, every: 2 } };

const endedAs = (facts: RunFacts, index: number, outcome: 'fail' | 'info'): RunFacts =>
  withHistory(facts, (record) => (record.kind === 'order' && record.index === index ? { ...record, outcome } : record));

/** relay-2 counts nothing more from here on. */
const silentFrom = (facts: RunFacts, fromMs: number): RunFacts => {
  const held = facts.samples.find(({ atMs }) => atMs >= fromMs)?.sentBy['relay-2'] ?? 0;
  const samples = facts.samples.map((sample) =>
    sample.atMs >= fromMs ? { ...sample, sentBy: { ...sample.sentBy, 'relay-2': held } } : sample,
  );
  return { ...facts, samples };
};

/** No page of relay-2 came in time from here to there. */
const unseen = (facts: RunFacts, fromMs: number, toMs: number): RunFacts => ({
  ...facts,
  samples: facts.samples.map(({ sentBy: { 'relay-2': hidden = 0, ...others }, ...sample }) => ({
    ...sample,
    sentBy: sample.atMs >= fromMs && sample.atMs <= toMs ? others : { ...others, 'relay-2': hidden },
  })),
});

describe('I18, what has a stand-in goes on', () => {
  it('when its orders are taken and it goes on sending, then it holds', () => {
    expect(goesOn(expecting(ODD))).toMatchObject({ holds: true, anomalies: [] });
  });

  it('when one of its orders is refused or left unknown, then it is broken; one of the others may be', () => {
    expect(goesOn(endedAs(expecting(ODD), 5, 'fail')).anomalies).toEqual(['order 5 ended fail']);
    expect(goesOn(endedAs(expecting(ODD), 5, 'info')).anomalies).toEqual(['order 5 ended info']);
    expect(goesOn(endedAs(expecting(ODD), 6, 'fail')).holds).toBe(true);
  });

  it('when it is silent for too long after the first fault, then it is broken; before it, that is nothing', () => {
    expect(goesOn(silentFrom(expecting(ODD, 1_500), 4_000)).anomalies.join()).toContain('relay-2 sent nothing for');
    expect(goesOn(silentFrom(expecting(ODD, 8_500), 4_000)).anomalies).toEqual([]);
  });

  it('when its counters come late and have risen by then, then it was not silent', () => {
    expect(goesOn(unseen(expecting(ODD, 1_500), 4_000, 7_000))).toMatchObject({ holds: true });
  });

  it('when they had not risen by then, then it was silent all the time', () => {
    const facts = unseen(silentFrom(expecting(ODD, 1_500), 4_000), 4_500, 7_000);
    expect(goesOn(facts).anomalies.join()).toContain('relay-2 sent nothing for');
  });

  it('when they could not be read for longer than it may be silent, then it cannot be told', () => {
    expect(goesOn(unseen(expecting(ODD, 1_500), 3_000, 8_500)).holds).toBeNull();
    expect(goesOn(unseen(expecting(ODD, 1_500), 4_500, Infinity)).holds).toBeNull();
  });

  it('when it runs no more, then it sends nothing, and no counter has to tell', () => {
    const { samples, ...facts } = unseen(expecting(ODD, 1_500), 4_000, Infinity);
    const ended = samples.map((sample) => (sample.atMs < 4_000 ? sample : { ...sample, running: [] }));
    expect(goesOn({ ...facts, samples: ended }).anomalies.join()).toContain('relay-2 sent nothing for');
  });

  it('when nobody says who must go on, or nothing was broken or seen, then it cannot be told', () => {
    expect(goesOn(aRun()).holds).toBeNull();
    expect(goesOn({ ...expecting(ODD), history: [] }).holds).toBeNull();
    expect(goesOn({ ...expecting(ODD), samples: [] }).holds).toBeNull();
  });
});
