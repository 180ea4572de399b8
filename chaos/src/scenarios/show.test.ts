import { seeded } from './random.js';
import { makePlan } from './scenario.js';
import { show } from './show.js';

const planFor = (seconds: number, rate: number) =>
  makePlan(show, { rate, seconds, warmUpSeconds: 5, seed: 1, sabotage: null }, seeded(1));

describe('the show', () => {
  it.each([10, 55, 600])('when the load lasts %i s, then its acts follow one another within it', (seconds) => {
    const { faults } = planFor(seconds, 1_000);
    const [broker, relay, scale] = faults.map(({ atMs }) => atMs - 5_000);
    const away = faults.flatMap(({ fault }) => (fault.kind === 'kill' ? [fault.backAfterMs] : []))[0];
    expect(relay).toBeGreaterThanOrEqual((broker ?? 0) + (away ?? 0) + 3_000);
    expect(scale).toBeGreaterThan(relay ?? 0);
    expect(scale).toBeLessThan(seconds * 1_000);
  });

  it('when the load is another, then a relay still carries a quarter of it', () => {
    expect(planFor(55, 1_000).world.settings['RELAY_RATE']).toBe('250');
    expect(planFor(55, 400).world.settings['RELAY_RATE']).toBe('100');
  });
});
