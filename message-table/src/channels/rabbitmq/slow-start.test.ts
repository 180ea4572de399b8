import { acked, delivered, prefetchOf, slowStart } from './slow-start.js';

const counted = true;

describe('A consumer takes one at a time until the queue has proved harmless', () => {
  it('when it begins, then the prefetch is 1', () => {
    expect(prefetchOf(slowStart(), 100)).toBe(1);
  });

  it('when a delivery that was never returned is acked, then the prefetch is full', () => {
    expect(prefetchOf(acked(slowStart(), { counted: false, epoch: 0 }), 100)).toBe(100);
  });

  it('when a delivery that was returned before is acked, then it stays at 1', () => {
    const state = slowStart();
    expect(acked(state, { counted, epoch: 0 })).toBe(state);
  });

  it('when a returned delivery arrives at full pace, then it is 1 again', () => {
    const full = acked(slowStart(), { counted: false, epoch: 0 });
    expect(delivered(full, { counted: false, epoch: 1 })).toBe(full);
    expect(prefetchOf(delivered(full, { counted, epoch: 1 }), 100)).toBe(1);
  });

  it('when one from before the return is acked late, then that proves nothing', () => {
    const full = acked(slowStart(), { counted: false, epoch: 0 });
    const slow = delivered(full, { counted, epoch: full.epoch });
    expect(acked(slow, { counted: false, epoch: full.epoch })).toBe(slow);
    expect(acked(slow, { counted: false, epoch: slow.epoch }).pace).toBe('full');
  });
});
