import { SCENARIOS } from './all.js';
import { seeded } from './random.js';

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
    (_name, { plan }) => {
      const { load } = plan({ rate: 100, seconds: 30, warmUpSeconds: 10 }, seeded(1));
      expect(load?.rate ?? 100).toBeLessThanOrEqual(100);
    },
  );
});
