import { pino } from 'pino';

import { createEvents, type MessageTableEvents } from './events.js';
import { logEvents } from './log-events.js';

/** What stands in the log after the events. */
function logOf(tell: (events: MessageTableEvents) => void): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const events = createEvents();
  logEvents(events, pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) }));
  tell(events);
  return lines;
}

describe('what only the broker did is in the log', () => {
  it('AMQP-03: when the broker cancels a consumer, then the log says which and why', () => {
    const reason = 'the broker cancelled the consumer of q';
    expect(logOf((events) => events.emit('consumerLost', { consumer: 'effect', reason }))).toMatchObject([
      { level: 40, consumer: 'effect', reason },
    ]);
  });

  it('INB-03: when a message is put aside, then the log says which and why', () => {
    const facts = { consumer: 'effect', messageId: 'm', reason: 'ER_LOCK_WAIT_TIMEOUT' };
    expect(logOf((events) => events.emit('putAside', facts))).toMatchObject([{ level: 40, ...facts }]);
  });

  it('AMQP-16: when a consuming connection cannot declare its queues, then the log says what differs', () => {
    const reason = 'queue q exists with another x-queue-type';
    const told = logOf((events) => events.emit('brokerLost', { connection: 'inventory consume', reason, code: 406 }));
    expect(told).toMatchObject([{ level: 40, connection: 'inventory consume', reason, code: 406 }]);
  });
});
