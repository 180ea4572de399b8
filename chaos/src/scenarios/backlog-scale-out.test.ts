import { backlogScaleOut } from './backlog-scale-out.js';
import { seeded } from './random.js';

const planned = (rate: number, seconds: number) => backlogScaleOut.plan({ rate, seconds, warmUpSeconds: 3 }, seeded(1));

describe('a backlog and a scale-out', () => {
  it.each([100, 300, 500, 1_000])('when %i orders come a second, then one relay carries half of them', (rate) => {
    expect(planned(rate, 30).settings).toMatchObject({ RELAY_RATE: String(rate / 2) });
  });

  it.each([
    [12, [3]],
    [30, [3, 1]],
    [600, [3, 1]],
  ])('when the load lasts %i s, then the backlog can be seen to grow first', (seconds, to) => {
    const faults = planned(1_000, seconds).faults;
    expect(faults.map(({ fault }) => fault)).toMatchObject(to.map((relays) => ({ kind: 'scale', to: relays })));
    expect(faults[0]?.atMs).toBeGreaterThan(5_000);
    expect(faults.at(-1)?.atMs).toBeLessThan(seconds * 1_000);
  });
});
