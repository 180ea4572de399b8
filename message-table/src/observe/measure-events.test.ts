import { pino } from 'pino';

import { logEvents } from './log-events.js';
import { measureEvents } from './measure-events.js';
import { pageOf } from './testing/page-of.js';

const pageAfter = pageOf(measureEvents);

describe('an alert on the first failure can fire', () => {
  it('MET-01: when a process has just started, then every series of a closed set is there at 0', async () => {
    const page = await pageAfter();
    expect(page).toContain('counterfoil_messages_settled_total{to="FAILED",via="relay"} 0');
    expect(page).toContain('counterfoil_messages_settled_total{to="FAILED",via="fast-path"} 0');
    expect(page).toContain('counterfoil_consume_failed_total{to="FAILED"} 0');
    expect(page).toContain('counterfoil_leases_swept_total{table="producer_message"} 0');
    expect(page).toContain('counterfoil_messages_put_aside_total 0');
    expect(page).toContain('counterfoil_messages_returned_total 0');
    expect(page).toContain('counterfoil_consumers_lost_total 0');
    expect(page).toContain('counterfoil_broker_connections_lost_total 0');
  });

  it('AMQP-03: when the broker takes a consumer or a connection away, then that is counted', async () => {
    const page = await pageAfter((events) => {
      events.emit('consumerLost', { consumer: 'effect', reason: 'queue deleted' });
      events.emit('brokerLost', { connection: 'c', reason: 'gone', code: null });
    });
    expect(page).toContain('counterfoil_consumers_lost_total 1');
    expect(page).toContain('counterfoil_broker_connections_lost_total 1');
  });

  it('INB-03: when a message is put aside, then it is counted', async () => {
    const facts = { consumer: 'effect', messageId: 'm', reason: 'ER_LOCK_WAIT_TIMEOUT' };
    const page = await pageAfter((events) => events.emit('putAside', facts));
    expect(page).toContain('counterfoil_messages_put_aside_total 1');
  });

  it('MET-01: when one message fails, then its series rises from 0 to 1', async () => {
    const page = await pageAfter((events) => events.emit('settled', { via: 'relay', to: 'FAILED', count: 1 }));
    expect(page).toContain('counterfoil_messages_settled_total{to="FAILED",via="relay"} 1');
  });

  it('when a message waits for a secret, then it is counted apart from what got no answer, and the log names the secret', async () => {
    const lines: string[] = [];
    const page = await pageAfter((events) => {
      logEvents(events, pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
      const reason = 'Secret HOOK is missing or unusable';
      const facts = { messageId: 'm-1', taskName: 'hook', channel: 'http', reason, to: 'PENDING', attempt: 1 } as const;
      events.emit('attemptFailed', { ...facts, kind: 'lacking', tookMs: null });
    });
    expect(page).toContain('counterfoil_attempts_failed_total{kind="lacking"} 1');
    expect(page).toContain('counterfoil_attempts_failed_total{kind="unknown"} 0');
    expect(lines.join()).toContain('Secret HOOK is missing or unusable');
  });

  it('MET-01: when a process has looked at the tables, then their gauges are there, and none before', async () => {
    const outbox = {
      waiting: 7,
      waitingIn: [0, 7, 0, 0, 0, 0, 0, 0, 0, 0],
      oldestMs: 1_500,
      overdueMs: 250,
      failed: 1,
    };
    const look = { outbox, inbox: { redeliveries: 2, failed: 3 }, oldestTransactionMs: null };
    const page = await pageAfter((events) => events.emit('tablesSeen', look));
    expect(page).toContain('counterfoil_backlog_messages 7');
    expect(page).toContain('counterfoil_backlog_house_messages{house="1"} 7');
    expect(page).toContain('counterfoil_backlog_house_messages{house="9"} 0');
    expect(page).toContain('counterfoil_backlog_oldest_seconds 1.5');
    expect(page).toContain('counterfoil_backlog_overdue_seconds 0.25');
    expect(page).toContain('counterfoil_failed_messages{table="consumer_message"} 3');
    expect(page).toContain('counterfoil_oldest_transaction_seconds Nan');
    expect(await pageAfter()).not.toContainEqual(expect.stringMatching('counterfoil_backlog'));
  });
});
