import { listLines } from './list.js';
import { plansFor } from './plans.js';
import { whyNot } from './supported.js';

const FLAGS = {
  ...{ scenario: null, sabotage: null, planFile: null, queueType: null },
  ...{ rate: 200, seconds: 10, warmUpSeconds: 1, seed: 7 },
};

describe('what can be run on native servers', () => {
  it('when all are asked for, then those that need containers say so, and only those', async () => {
    const plans = await plansFor({ ...FLAGS, scenario: 'all' });
    const refused = plans.filter((plan) => whyNot(plan, 'native') !== null);
    const disconnecting = plans.filter(({ faults }) => faults.some(({ fault }) => fault.kind === 'disconnect'));
    expect(refused.map(({ scenario }) => scenario)).toEqual(['unplugged']);
    expect(refused).toEqual(disconnecting);
    expect(plans.map((plan) => whyNot(plan, 'containers'))).toEqual(plans.map(() => null));
  });

  it('when they are listed, then the list says which need containers', () => {
    expect(listLines().filter((line) => line.includes('--stack containers'))).toEqual([
      expect.stringMatching(/^unplugged /),
    ]);
  });
});
