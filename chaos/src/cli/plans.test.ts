import { join } from 'node:path';

import { plansFor } from './plans.js';

const FLAGS = {
  ...{ scenario: null, sabotage: null, planFile: null, queueType: null },
  ...{ rate: 200, seconds: 10, warmUpSeconds: 1, seed: 7 },
};

const NO_PLAN = join(__dirname, '..', '..', 'package.json');

describe('what is run', () => {
  it('when nothing is named, then the baseline', async () => {
    expect(await plansFor(FLAGS)).toMatchObject([{ scenario: 'baseline', sabotage: null, seed: 7 }]);
  });

  it('when only a sabotage is named, then the scenario that must catch it, with its settings', async () => {
    const [plan] = await plansFor({ ...FLAGS, sabotage: 'loop-dies-on-error' });
    expect(plan).toMatchObject({ scenario: 'order-db-kill', sabotage: 'loop-dies-on-error' });
    expect(plan?.world.settings).toMatchObject({ FAST_PATH: 'off' });
  });

  it('when a scenario is named as well, then that one', async () => {
    const asked = { ...FLAGS, sabotage: 'no-inbox', scenario: 'relay-kill' };
    expect(await plansFor(asked)).toMatchObject([{ scenario: 'relay-kill', sabotage: 'no-inbox' }]);
  });

  it('when queues are to be classic, then the plan says so, and a replay of it has them as well', async () => {
    const [plan] = await plansFor({ ...FLAGS, queueType: 'classic' });
    expect(plan?.world.settings).toMatchObject({ CHAOS_QUEUE_TYPE: 'classic' });
  });

  it('when the file of a plan is none, then it is named', async () => {
    await expect(plansFor({ ...FLAGS, planFile: NO_PLAN })).rejects.toThrow(`${NO_PLAN}: scenario`);
  });

  it.each([
    ['scenario', { scenario: 'relay-kil' }, "There is no scenario 'relay-kil'. Near it: relay-kill"],
    ['sabotage', { sabotage: 'noinbox' }, "There is no sabotage 'noinbox'. Near it: no-inbox"],
    ['sabotage', { sabotage: 'zzzzzzzz', scenario: 'all' }, 'There are: answers-swapped'],
  ])('when a %s is none, then nothing is planned, and what is near is named', async (_what, flags, says) => {
    await expect(plansFor({ ...FLAGS, ...flags })).rejects.toThrow(says);
  });

  it('when the seed is the same, then the plans are the same, byte by byte', async () => {
    const text = async (): Promise<string> => JSON.stringify(await plansFor({ ...FLAGS, scenario: 'all' }));
    expect(await text()).toBe(await text());
  });
});
