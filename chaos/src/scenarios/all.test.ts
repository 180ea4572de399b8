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
