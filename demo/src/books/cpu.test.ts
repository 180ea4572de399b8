import { aRun } from '@counterfoil/chaos/testkit';

import { cpuUse } from './cpu.js';

describe('the cores that were used', () => {
  it('when there are samples of the load, then each process has its mean, the largest first', () => {
    const used = cpuUse(aRun());
    expect(used?.processes.map(([name]) => name)).toEqual(['order-db', 'relay-1']);
    expect(used?.inAll).toBeCloseTo(0.3);
    expect(used?.others).toBeCloseTo(0.05);
  });

  it('when a process was there for half of the time, then it counts half', () => {
    const { samples, history } = aRun();
    const half = samples.map((sample, index) => (index % 2 === 0 ? sample : { ...sample, cores: {} }));
    expect(cpuUse({ samples: half, history })?.inAll).toBeCloseTo(0.15);
  });

  it('when nobody looked, then there is nothing', () => {
    expect(cpuUse({ samples: [], history: [] })).toBeNull();
  });
});
