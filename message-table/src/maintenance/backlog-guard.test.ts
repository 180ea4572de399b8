import { openDatabase } from '../database/database.js';
import { createEvents } from '../observe/events.js';
import { createBacklogGuard } from './backlog-guard.js';

it('when no limit is set, then its loop counts as turning at every moment', async () => {
  jest.useFakeTimers();
  const db = openDatabase({ url: 'mysql://nobody@127.0.0.1:9/none', events: createEvents() });
  const { loop, isFull } = createBacklogGuard(db, 0);
  await loop.start();
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await jest.advanceTimersByTimeAsync(1_000);
    expect(loop.isTurning()).toBe(true);
  }
  expect(isFull()).toBe(false);
  jest.useRealTimers();
  await Promise.all([loop.stop(), db.close()]);
});
