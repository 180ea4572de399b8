import { Gauge, type Registry } from 'prom-client';

import type { MessageTableEvents } from './events.js';

/** What is in the tables, as the process that watches them last saw it; absent in a process that does not look. */
export function measureTables(events: MessageTableEvents, registry: Registry): void {
  let gauges: Gauges | null = null;
  events.on('tablesSeen', ({ outbox, inbox, oldestTransactionMs }) => {
    gauges ??= createGauges(registry);
    gauges.waiting.set(outbox.waiting);
    outbox.waitingIn.forEach((count, house) => gauges?.houses.set({ house: String(house) }, count));
    gauges.oldest.set(outbox.oldestMs / 1000);
    gauges.overdue.set(outbox.overdueMs / 1000);
    gauges.redeliveries.set(inbox.redeliveries);
    gauges.failed.set({ table: 'producer_message' }, outbox.failed);
    gauges.failed.set({ table: 'consumer_message' }, inbox.failed);
    // Without the privilege nobody looked: no number is better than a good one.
    gauges.transaction.set(oldestTransactionMs === null ? NaN : oldestTransactionMs / 1000);
  });
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> =>
    new Gauge({ name: `counterfoil_${name}`, help, labelNames, registers: [registry] });
  return {
    waiting: gauge('backlog_messages', 'Messages of this database that are not sent yet, counted to 100000'),
    houses: gauge('backlog_house_messages', 'The same by house number, each counted to 10000', ['house']),
    oldest: gauge('backlog_oldest_seconds', 'Age of the oldest message that is not sent yet'),
    overdue: gauge('backlog_overdue_seconds', 'How long the turn of the most overdue message has been over'),
    redeliveries: gauge('redeliveries_waiting', 'Notes of this database that will be redelivered'),
    failed: gauge('failed_messages', 'Rows that wait for a person, counted to 100000', ['table']),
    transaction: gauge('oldest_transaction_seconds', 'Age of the oldest open transaction of the database server'),
  };
}
