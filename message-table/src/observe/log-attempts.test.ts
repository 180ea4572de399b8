import { pino } from 'pino';

import { createEvents, type MessageTableEvents } from './events.js';
import { logEvents } from './log-events.js';

type Line = Record<string, unknown>;

function logOf(level: string, tell: (events: MessageTableEvents) => void): Line[] {
  const lines: Line[] = [];
  const events = createEvents();
  logEvents(events, pino({ level, base: null }, { write: (line) => lines.push(JSON.parse(line) as Line) }));
  tell(events);
  return lines;
}

/** `CRC32('order-1') MOD 10`, as the insert computes it. */
const HOUSE = 9;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const attempt = {
  ...{ messageId: 'order-1', taskName: 'hook', channel: 'http', attempt: 2, tookMs: 12.7 },
  traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01`,
} as const;
const failure = { ...attempt, reason: 'status 500' } as const;
const logged = { messageId: 'order-1', taskName: 'hook', channel: 'http', attempt: 2, tookMs: 13, traceId: TRACE_ID };

describe('what the log says of an attempt', () => {
  it.each([
    ['refused', 'PENDING', 40],
    ['refused', 'FAILED', 50],
    ['lacking', 'PENDING', 40],
    ['unknown', 'PENDING', 20],
  ] as const)(
    'when it ends %s and the row is %s, then the line has its id, house, channel, ending, time and trace',
    (kind, to, level) => {
      const [line] = logOf('debug', (events) => events.emit('attemptFailed', { ...failure, kind, to }));
      expect(line).toMatchObject({ ...logged, level, kind, to, reason: 'status 500' });
      expect(line?.['house']).toBe(HOUSE);
      expect(line).not.toHaveProperty('traceparent');
    },
  );

  it('when it is confirmed, then the line is one for debugging', () => {
    expect(logOf('debug', (events) => events.emit('attemptConfirmed', attempt))).toMatchObject([
      { ...logged, house: HOUSE, level: 20 },
    ]);
  });

  it('when nobody debugs, then nothing is made for the lines of attempts that went well or got no answer', () => {
    let copies = 0;
    const watched = <Facts extends object>(facts: Facts): Facts =>
      new Proxy(facts, {
        ownKeys: (target) => {
          copies += 1;
          return Reflect.ownKeys(target);
        },
      });
    const tell = (events: MessageTableEvents): void => {
      events.emit('attemptConfirmed', watched(attempt));
      events.emit('attemptFailed', watched({ ...failure, kind: 'unknown', to: 'PENDING' } as const));
    };
    expect(logOf('info', tell)).toEqual([]);
    expect(copies).toBe(0);
    expect(logOf('debug', tell)).toHaveLength(2);
    expect(copies).toBe(2);
  });

  it('when a message waits too long for an answer, then the line has its house as well', () => {
    const messages = [{ messageId: 'order-1', channel: 'http', ageMs: 9, reason: 'no answer' }];
    expect(logOf('info', (events) => events.emit('overdue', { messages }))).toMatchObject([
      { messageId: 'order-1', house: HOUSE },
    ]);
  });
});
