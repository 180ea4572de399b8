import { createEvents, type MessageTableEventMap } from '../observe/events.js';
import { eventually } from '../testkit/eventually.js';
import { createQueueWatch } from './queue-watch.js';

type Seen = MessageTableEventMap['queuesSeen'][0];

it('when a queue cannot be looked at, then that is no error of the watch, and the other is looked at nevertheless', async () => {
  const events = createEvents();
  const seen: Seen[] = [];
  const failures: string[] = [];
  events.on('queuesSeen', (facts) => seen.push(facts));
  events.on('loopFailed', ({ error }) => failures.push(error.message));
  const look = (queue: string): Promise<number> =>
    queue === 'work' ? Promise.reject(new Error('no connection to the broker')) : Promise.resolve(3);
  const watch = createQueueWatch({ events, queue: 'work', deadQueue: 'dead', look });
  await watch.start();
  await eventually(() => seen.length > 0);
  await watch.stop();
  expect(seen).toEqual([
    {
      queues: [
        { queue: 'work', kind: 'work', messages: null, reason: 'no connection to the broker' },
        { queue: 'dead', kind: 'dead', messages: 3, reason: null },
      ],
    },
  ]);
  expect(failures).toEqual([]);
});
