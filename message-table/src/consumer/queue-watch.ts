import { reasonOf } from '../errors.js';
import type { MessageTableEvents, QueueLook } from '../observe/events.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';

export interface QueueWatchOptions {
  readonly events: MessageTableEvents;
  /** The queue that is consumed. */
  readonly queue: string;
  readonly deadQueue: string;
  /** How many messages wait in a queue. Bounded in time. */
  readonly look: (queue: string) => Promise<number>;
}

const PERIOD_MS = 60_000;
/** While nobody can look, at the start for instance. */
const AGAIN_AFTER_MS = 10_000;

/** Looks once a minute at how much waits in both queues of a consumer, for the gauge of `/metrics`. Work does not depend on it. */
export const createQueueWatch = ({ events, queue, deadQueue, look }: QueueWatchOptions): Loop =>
  createLoop({
    name: 'queue-watch',
    events,
    periodMs: PERIOD_MS,
    step: async () => {
      const queues = [await lookAt(queue, 'work', look), await lookAt(deadQueue, 'dead', look)];
      events.emit('queuesSeen', { queues });
      return jittered(queues.some(({ messages }) => messages === null) ? AGAIN_AFTER_MS : PERIOD_MS);
    },
  });

/** A queue that is not there, or no broker, is told by whoever needs it. */
const lookAt = (queue: string, kind: QueueLook['kind'], look: QueueWatchOptions['look']): Promise<QueueLook> =>
  look(queue).then(
    (messages) => ({ queue, kind, messages, reason: null }),
    (error: unknown) => ({ queue, kind, messages: null, reason: reasonOf(error) }),
  );
