import { measureAttempts } from './measure-attempts.js';
import { pageOf } from './testing/page-of.js';

const pageAfter = pageOf(measureAttempts);

const often = (table: 'producer' | 'consumer', count: number): string =>
  `counterfoil_messages_retried_often_total{table="${table}_message"} ${String(count)}`;
const facts = { messageId: 'm', channel: 'http', reason: 'no', to: 'PENDING' } as const;

describe('how many messages need many attempts', () => {
  it('MET-01: when a process has just started, then both counters are there at 0', async () => {
    const page = await pageAfter();
    expect(page).toContain(often('producer', 0));
    expect(page).toContain(often('consumer', 0));
  });

  it('when a message is refused five times, then it is counted once', async () => {
    const page = await pageAfter((events) => {
      for (const attempt of [1, 2, 3, 4, 5])
        events.emit('attemptFailed', { ...facts, kind: 'refused', attempt, tookMs: 1 });
    });
    expect(page).toContain(often('producer', 1));
    expect(page).toContain(often('consumer', 0));
  });

  it.each(['unknown', 'lacking', 'busy'] as const)(
    'when its third attempt ends %s, which uses none, then it is not counted, however often that is',
    async (kind) => {
      const page = await pageAfter((events) => {
        for (let time = 0; time < 9; time += 1)
          events.emit('attemptFailed', { ...facts, kind, attempt: 3, tookMs: null });
      });
      expect(page).toContain(often('producer', 0));
    },
  );

  it('when an effect fails for the third time, then its message is counted once, also when that is its last time', async () => {
    const page = await pageAfter((events) => {
      const failed = { messageId: 'm', consumer: 'effect', reason: 'no' };
      events.emit('consumeFailed', { ...failed, to: 'PENDING_RETRY', attempt: 2 });
      events.emit('consumeFailed', { ...failed, to: 'FAILED', attempt: 3 });
    });
    expect(page).toContain(often('consumer', 1));
    expect(page).toContain(often('producer', 0));
  });
});

describe('how long attempts take', () => {
  it('when attempts end, well or not, then each channel has its own times; what was not sent has none', async () => {
    const page = await pageAfter((events) => {
      events.emit('attemptConfirmed', { messageId: 'm', channel: 'rabbitmq', attempt: 1, tookMs: 4 });
      events.emit('attemptFailed', { ...facts, kind: 'unknown', attempt: 1, tookMs: 5_001 });
      events.emit('attemptFailed', { ...facts, kind: 'busy', attempt: 1, tookMs: null });
    });
    expect(page).toContain('counterfoil_send_seconds_bucket{le="0.005",channel="rabbitmq"} 1');
    expect(page).toContain('counterfoil_send_seconds_count{channel="rabbitmq"} 1');
    expect(page).toContain('counterfoil_send_seconds_bucket{le="5",channel="http"} 0');
    expect(page).toContain('counterfoil_send_seconds_bucket{le="10",channel="http"} 1');
    expect(page).toContain('counterfoil_send_seconds_count{channel="http"} 1');
  });
});
