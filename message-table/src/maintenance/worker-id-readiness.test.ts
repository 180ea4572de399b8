import { createSnowflake } from './snowflake.js';
import { workerIdReadiness } from './worker-id-readiness.js';
import { MessageTableError } from '../errors.js';

it('when no worker id is leased, then a service is not ready, and it is again when one is', () => {
  let isLeased = false;
  const newId = createSnowflake({
    now: () => {
      if (!isLeased) throw new MessageTableError('NO_WORKER_ID', 'none');
      return { workerId: 1, nowMs: Date.now() };
    },
  });
  const readiness = workerIdReadiness(newId);
  expect(readiness()).toBe('worker id');
  isLeased = true;
  expect(readiness()).toBeNull();
});
