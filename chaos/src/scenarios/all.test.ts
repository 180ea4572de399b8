import { SCENARIOS } from './all.js';
import { seeded } from './random.js';
import { makePlan } from './scenario.js';

describe('a load of half a minute', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'when %s breaks something, then orders still come',
    (_name, { plan }) => {
      const { faults } = plan({ rate: 1_000, seconds: 30, warmUpSeconds: 10 }, seeded(1));
      expect(faults.filter(({ atMs }) => atMs >= 30_000)).toEqual([]);
    },
  );
});

describe('a low rate', () => {
  it.each(SCENARIOS.filter(({ name }) => name !== 'queue-full').map((scenario) => [scenario.name, scenario] as const))(
    'when %s is asked for it, then orders come no faster',
    (_name, scenario) => {
      const options = { rate: 100, seconds: 30, warmUpSeconds: 10, seed: 1, sabotage: null };
      expect(makePlan(scenario, options, seeded(1)).load.rate).toBeLessThanOrEqual(100);
    },
  );
});
