import { createEvents } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import { createLoop } from './loop.js';

it('RLY-03: when a step throws instead of rejecting, then the loop says so and goes on', async () => {
  const events = createEvents();
  const failures: string[] = [];
  events.on('loopFailed', ({ loop, error }) => failures.push(`${loop}: ${error.message}`));
  let passes = 0;
  const loop = createLoop({
    ...{ name: 'l', events, periodMs: 1, restAfterErrorMs: 1 },
    step: () => {
      passes += 1;
      if (passes < 3) throw new Error('not even a promise');
      return Promise.resolve(1);
    },
  });
  await loop.start();
  await eventually(() => passes > 4);
  await loop.stop();
  expect(failures).toEqual(['l: not even a promise', 'l: not even a promise']);
});
