import type { Runner } from '../database/rows.js';
import { loadMessages } from './load-messages.js';
import { asClaim, type Claim } from './producer-message.js';

const claim = (id: string): Claim =>
  asClaim({ id, version: 1, messageId: `m-${id}`, retryCount: 0, maxRetryCount: 5, leaseEndsMs: 0 });

const stored = (id: string, headers: string | null): object => ({
  ...{ id, taskName: 't', channel: 'rabbitmq', exchange: 'e', routingKey: 'r', channelConfig: null, content: '{}' },
  headers,
});

/** A table that holds these rows. */
const table = (...rows: object[]): Runner => ({ raw: () => Promise.resolve([rows, []]) });

describe('contents of claimed rows', () => {
  it.each(['{"a":', 'null', '[]', '5', '"text"', ''])(
    'INB-04: when a row has headers that are no headers (%s), then the others of its batch are loaded, and it is named',
    async (headers) => {
      const rows = table(stored('1', '{"traceparent":"00-1-2-01"}'), stored('2', headers), stored('3', null));
      const { messages, unreadable } = await loadMessages(rows, ['1', '2', '3'].map(claim));
      expect(messages.map(({ outgoing }) => [outgoing.id, outgoing.headers])).toEqual([
        ['1', { traceparent: '00-1-2-01' }],
        ['3', {}],
      ]);
      expect(unreadable.map(({ claim: { id } }) => id)).toEqual(['2']);
    },
  );

  it('when a row is gone, then it is left out', async () => {
    const { messages, unreadable } = await loadMessages(table(stored('1', null)), ['1', '2'].map(claim));
    expect(messages.map(({ outgoing }) => outgoing.id)).toEqual(['1']);
    expect(unreadable).toEqual([]);
  });
});
