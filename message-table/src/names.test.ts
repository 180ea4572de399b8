import { Inbox } from './consumer/inbox.js';
import type { Effect } from './consumer/effect.js';
import { openDatabase, type Database } from './database/database.js';
import { createMessageTable } from './message-table.js';
import { createEvents } from './observe/events.js';
import { createRelay } from './relay.js';
import { DEFAULT_RETRY_POLICY } from './producer/store/retry-policy.js';
import { ScriptedChannel } from './testkit/scripted-channel.js';

let db: Database;
beforeAll(() => {
  // Opens no connection.
  db = openDatabase({ url: 'mysql://nobody@127.0.0.1:9/nothing', events: createEvents() });
});
afterAll(() => db.close());

const effectOf = (name: string): Effect => ({
  ...{ name, maxRetryCount: 5, read: () => null, apply: () => Promise.resolve() },
});
const UNUSABLE = ['', ' effect', 'effekt-ä', 'x'.repeat(65)];

// A name that does not fit its column would only show as messages that nobody can keep.
describe('names that go into columns', () => {
  it.each(UNUSABLE)('when an effect is called %j, then its inbox is not made', (name) => {
    expect(() => new Inbox(db, effectOf(name), { retry: DEFAULT_RETRY_POLICY })).toThrow('printable ASCII');
  });

  it.each(UNUSABLE)('when a process is called %j, then neither its table nor its relay is made', (processName) => {
    const channels = [new ScriptedChannel()];
    expect(() => createMessageTable({ db, channels, processName })).toThrow('printable ASCII');
    expect(() => createRelay({ db, channels, processName })).toThrow('printable ASCII');
  });

  it('when a name just fits, then it is taken', () => {
    const name = 'x'.repeat(64);
    expect(new Inbox(db, effectOf(name), { retry: DEFAULT_RETRY_POLICY }).effect.name).toBe(name);
    expect(createRelay({ db, channels: [new ScriptedChannel()], processName: name }).length).toBeGreaterThan(0);
  });
});
