import { makePlan, seeded, show, type HistoryRecord } from '@counterfoil/chaos';

import { actOf } from './words.js';

const plan = makePlan(show, { rate: 1_000, warmUpSeconds: 10, seconds: 55, seed: 1, sabotage: null }, seeded(1));
const [broker, relay, scale] = plan.faults;
if (broker === undefined || relay === undefined || scale === undefined) throw new Error('The show has three faults');

const faultRecord = (
  { id, fault }: typeof broker,
  phase: 'begin' | 'end',
  effect: Record<string, number> | null = null,
): HistoryRecord => ({ atMs: 1, kind: 'fault', id, phase, fault, effect });
const exited = (target: string): HistoryRecord => ({
  atMs: 1,
  kind: 'process',
  target,
  what: 'exited',
  expected: true,
});

describe('the words of the show', () => {
  it('when the load begins, then all is well', () => {
    expect(actOf({ atMs: 0, kind: 'phase', name: 'warm-up' }, plan, [])?.head).toBe('All is well.');
  });

  it('when the broker goes and comes back, then both are said, with what the relay may send', () => {
    expect(actOf(faultRecord(broker, 'begin'), plan, [broker.fault])?.head).toBe('The broker is killed.');
    expect(actOf(faultRecord(broker, 'end', { exits: 1 }), plan, [broker.fault])?.means).toContain('250 a second');
  });

  it('when the relay dies at the step it was armed for, then that is said, and not when it is armed', () => {
    expect(actOf(faultRecord(relay, 'begin'), plan, [relay.fault])).toBeNull();
    expect(actOf(exited('relay-1'), plan, [relay.fault])).toEqual({
      head: 'relay-1 is killed with messages in its hands.',
      means: 'Its leases on them end within 5 s; then another relay takes them over.',
    });
  });

  it('when a process ends that nobody aimed at, then nothing is said of it', () => {
    expect(actOf(exited('relay-2'), plan, [relay.fault])).toBeNull();
    expect(actOf(exited('relay-1'), plan, [])).toBeNull();
  });

  it('when relays have joined, then it is said how many there really are', () => {
    expect(actOf(faultRecord(scale, 'begin'), plan, [scale.fault])).toBeNull();
    expect(actOf(faultRecord(scale, 'end', { before: 1, after: 3 }), plan, [])).toMatchObject({
      head: 'Now there are 3 relays.',
      means: expect.stringContaining('750 a second') as string,
    });
  });
});
