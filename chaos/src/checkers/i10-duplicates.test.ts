import type { RunFacts } from '../facts.js';
import type { Fault } from '../plan.js';
import { aRun, SENT_TWICE } from '../testkit/facts-builder.js';
import { broken, withBooks, withHistory } from '../testkit/mutate.js';
import { duplicatesAtMost } from './duplicates-at-most.js';
import { duplicates } from './i10-duplicates.js';

const withFault = (fault: Fault): RunFacts => aRun({ faults: [{ id: 'f1', atMs: 7_000, fault }] });
const withoutFault = (facts: RunFacts): RunFacts =>
  withHistory(facts, (record) => (record.kind === 'fault' || record.kind === 'process' ? null : record));

describe('I10, duplicates', () => {
  it('when a relay was killed, then as many as it held may come twice, and not one more', () => {
    expect(broken(aRun())).toEqual([]);
    const more = withBooks(aRun(), ({ tap }) => ({ tap: new Map(tap).set('m4', 3) }));
    expect(broken(more)).toEqual(['I10', 'I14']);
  });

  it('when the window of the fault is taken away, then nothing may come twice', () => {
    expect(broken(withoutFault(aRun()))).toEqual(['I10']);
  });

  it('when what came twice had stayed without an answer, then nobody can tell; what had not is one too many', () => {
    const facts = withoutFault(aRun());
    const backWithoutAnswer = (orders: readonly number[]) =>
      withBooks(facts, ({ transitions, orderMessages }) => ({
        transitions: [
          ...transitions,
          ...orders.map((order) => ({
            ...({ database: 'order', table: 'producer_message', from: 'SENDING', to: 'PENDING' } as const),
            ...{ id: orderMessages[order]?.id ?? '', fromVersion: 1, toVersion: 2 },
            ...{ retryCountRose: false, lostCountRose: false },
          })),
        ],
      }));
    expect(duplicates(backWithoutAnswer(SENT_TWICE))).toMatchObject({ holds: null });
    expect(duplicates(backWithoutAnswer(SENT_TWICE.slice(1)))).toMatchObject({ holds: false });
  });

  it('when the scenario says how many, then that is the bound', () => {
    expect(broken(aRun({ expected: { ...aRun().plan.expected, duplicatesAtMost: 1 } }))).toEqual(['I10']);
  });

  // Two relays of 2 in flight, the fast path off, 0.7 s of fault, attempts time out after 5 s: (1 + 1) × 4.
  it.each([
    [{ kind: 'kill', target: 'relay-1', backAfterMs: 1 }, 2, 0],
    [{ kind: 'pause', target: 'relay-1', forMs: 1 }, 2, 0],
    [{ kind: 'kill', target: 'inventory-relay-1', backAfterMs: 1 }, 0, 2],
    [{ kind: 'kill', target: 'broker', backAfterMs: 1 }, 8, 4],
    [{ kind: 'kill', target: 'order-db', backAfterMs: 1 }, 8, 0],
    [{ kind: 'cut', link: 'relay→broker', how: 'reset', direction: 'both', forMs: 1 }, 8, 0],
    [{ kind: 'cut', link: 'inventory→broker', how: 'reset', direction: 'both', forMs: 1 }, 0, 0],
    [{ kind: 'alarm', forMs: 1 }, 8, 4],
    [{ kind: 'stop', target: 'relay-1', backAfterMs: 1 }, 0, 0],
    [{ kind: 'deadlocks', forMs: 1 }, 0, 0],
    [{ kind: 'scale', target: 'relay', to: 1 }, 0, 0],
  ] satisfies [Fault, number, number][])(
    'when the fault is %j, then %i deductions and %i decisions may come twice',
    (fault, deductions, decisions) => {
      const facts = withHistory(withFault(fault), (record) => (record.kind === 'process' ? null : record));
      expect(duplicatesAtMost(facts)).toEqual({ deductions, decisions });
    },
  );

  it('when services have a fast path, then what it holds counts as well', () => {
    const { plan } = aRun();
    const facts = {
      ...aRun(),
      plan: { ...plan, world: { ...plan.world, settings: { FAST_PATH_QUEUE: '10', RELAY_BATCH: '2' } } },
    };
    const killed = withHistory(facts, (record) =>
      record.kind === 'fault'
        ? { ...record, fault: { kind: 'kill', target: 'order-service-1', backAfterMs: 1 } }
        : record,
    );
    expect(duplicatesAtMost(withHistory(killed, (record) => (record.kind === 'process' ? null : record)))).toEqual({
      deductions: 10,
      decisions: 0,
    });
  });

  it('when a process ended at a fail-point, or a person sent again, then that counts as well', () => {
    const facts = withoutFault(aRun());
    const ended = { atMs: 3_000, kind: 'process', target: 'relay-2', what: 'exited', expected: true } as const;
    expect(duplicatesAtMost({ ...facts, history: [...facts.history, ended] })).toEqual({ deductions: 2, decisions: 0 });
    const replayed = { database: 'order', messageId: 'm3', action: 'replay' } as const;
    expect(duplicatesAtMost(withBooks(facts, () => ({ actions: [replayed] })))).toEqual({
      deductions: 1,
      decisions: 0,
    });
  });

  it('when a message is sent over HTTP again though its sender surely got the answer, then it is one too many', () => {
    const sentAgain = (tookMs: number) =>
      withBooks(aRun({ expected: { ...aRun().plan.expected, duplicatesAtMost: 0 } }), ({ tap }) => ({
        http: [
          ...[...(tap ?? [])].map(([messageId]) => ({ messageId, answered: 200, tookMs: 5 })),
          { messageId: 'm4', answered: 200, tookMs },
        ],
      }));
    expect(broken(sentAgain(5))).toEqual(['I10']);
    expect(broken(sentAgain(4_000))).toEqual([]);
  });
});
