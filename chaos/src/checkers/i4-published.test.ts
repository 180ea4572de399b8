import type { RunFacts } from '../facts.js';
import { aRun } from '../testkit/facts-builder.js';
import { broken, outcome, withBooks } from '../testkit/mutate.js';
import { aPoisonedRun, aRunWithKiller, givenUp } from '../testkit/planned-failures.js';

const without = (tap: ReadonlyMap<string, number> | null, id: string): Map<string, number> =>
  new Map([...(tap ?? [])].filter(([one]) => one !== id));

describe('I4, every committed message was published', () => {
  it('when the tap never saw a message, then it is broken, on either route', () => {
    expect(broken(withBooks(aRun(), ({ tap }) => ({ tap: without(tap, 'm3') })))).toEqual(['I4']);
    expect(broken(withBooks(aRun(), ({ decisionTap }) => ({ decisionTap: without(decisionTap, 'd3') })))).toEqual([
      'I4',
    ]);
  });

  it('when something was published that is no message, then it is broken; bodies of the nemesis are let pass', () => {
    const stranger = (id: string, run = aRun()) =>
      broken(withBooks(run, ({ tap }) => ({ tap: new Map(tap).set(id, 1) })));
    expect(stranger('rolled-back')).toEqual(['I4']);
    expect(stranger('')).toEqual(['I4']);
    expect(stranger('', aPoisonedRun())).toEqual([]);
    expect(stranger('poison-1', aPoisonedRun())).toEqual(['I4']);
  });

  it('when a message was given up before it was sent, then it need not be published if that is planned', () => {
    const unsent = (run: RunFacts) => broken(withBooks(givenUp(run, 3), ({ tap }) => ({ tap: without(tap, 'm3') })));
    expect(unsent(aRunWithKiller())).not.toContain('I4');
    expect(unsent(aRun())).toContain('I4');
  });

  it('when the run had no tap, then it cannot be told, unless the scenario does not judge it', () => {
    const noTap = (notJudged: Record<string, string>) =>
      withBooks(aRun({ notJudged }), () => ({ tap: null, decisionTap: null }));
    expect(outcome(noTap({}))).toMatchObject({ untold: ['I4', 'I10'], verdict: 'unknown' });
    const excused = { I4: 'the binding is removed', I10: 'the binding is removed' };
    expect(outcome(noTap(excused))).toMatchObject({ untold: [], verdict: 'valid' });
  });
});
