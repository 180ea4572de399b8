import type { MessageTableEvents } from './events.js';
import { measureBroker } from './measure-broker.js';
import { pageOf } from './testing/page-of.js';

const pageAfter = pageOf(measureBroker);

const lost = (connection: string) => ({ connection, reason: 'gone', code: null });

describe('the broker as a process sees it', () => {
  it('when connections are lost and come back, then those that are missing are counted, each once', async () => {
    expect(await pageAfter()).toContain('counterfoil_broker_connections_missing 0');
    const away = (events: MessageTableEvents): void => {
      for (const name of ['publish', 'consume', 'publish']) events.emit('brokerLost', lost(name));
    };
    expect(await pageAfter(away)).toContain('counterfoil_broker_connections_missing 2');
    const back = await pageAfter((events) => {
      away(events);
      events.emit('brokerConnected', { connection: 'publish' });
      events.emit('brokerConnected', { connection: 'other' });
    });
    expect(back).toContain('counterfoil_broker_connections_missing 1');
    expect(back).toContain('counterfoil_broker_connections_lost_total 3');
  });

  it('when nobody can look into a queue any more, then its old number does not stay', async () => {
    const [work, dead] = [
      { queue: 'q', kind: 'work', messages: 7, reason: null },
      { queue: 'q.dead', kind: 'dead', messages: 0, reason: null },
    ] as const;
    const page = await pageAfter((events) => events.emit('queuesSeen', { queues: [work, dead] }));
    expect(page).toContain('counterfoil_queue_messages{queue="q",kind="work"} 7');
    expect(page).toContain('counterfoil_queue_messages{queue="q.dead",kind="dead"} 0');
    const later = await pageAfter((events) => {
      events.emit('queuesSeen', { queues: [work, dead] });
      events.emit('queuesSeen', { queues: [{ ...work, messages: null, reason: 'no connection' }, dead] });
    });
    expect(later).toContain('counterfoil_queue_messages{queue="q",kind="work"} Nan');
  });
});
