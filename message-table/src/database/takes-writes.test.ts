import { createEvents } from '../observe/events.js';
import { databaseReadiness } from './database-parts.js';
import { openDatabase, type Database } from './database.js';
import { takesWrites } from './takes-writes.js';
import { ReplicaServer } from './testing/replica-server.js';

type Said = Readonly<Record<'server' | 'storage', number | string>>;
const WRITABLE: Said = { server: 0, storage: 0 };
const REPLICA: Said = { server: 1, storage: 0 };

let says: Said;
let server: ReplicaServer;
let db: Database;
beforeEach(async () => {
  says = WRITABLE;
  server = await ReplicaServer.open(() => says);
  db = openDatabase({ url: server.url, events: createEvents(), poolMax: 1, acquireTimeoutMs: 2_000 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.close();
  await server[Symbol.asyncDispose]();
});

const realNow = performance.now.bind(performance);
const later = (ms: number): void => {
  jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);
};

describe('a database that takes no writes is not ready', () => {
  it.each<[Said, boolean]>([
    [WRITABLE, true],
    [{ server: 'OFF', storage: 'OFF' }, true],
    [REPLICA, false],
    [{ server: 0, storage: 1 }, false],
    [{ server: 'ON', storage: 'OFF' }, false],
    [{ server: 'NO_LOCK_NO_ADMIN', storage: 0 }, false],
  ])('when the server says %j, then it takes writes: %s', async (said, takes) => {
    says = said;
    expect(await takesWrites(db.knex)).toBe(takes);
  });

  it('when the server becomes a replica, then the process is not ready, and it is again when the server is none', async () => {
    const readiness = databaseReadiness(db, 'order database');
    expect(await readiness()).toBeNull();
    says = REPLICA;
    expect(await readiness()).toBe('order database that takes writes');
    says = WRITABLE;
    expect(await readiness()).toBeNull();
  });

  it('when the server does not answer, then the database as a whole is missing', async () => {
    await server[Symbol.asyncDispose]();
    expect(await databaseReadiness(db, 'order database')()).toBe('order database');
  });

  it('when it has become a replica, then its connection is left, for the name may lead elsewhere; a new one is kept for a moment', async () => {
    await takesWrites(db.knex);
    says = REPLICA;
    await takesWrites(db.knex);
    await takesWrites(db.knex);
    expect(server.connections).toBe(1);
    later(5_000);
    await takesWrites(db.knex);
    await takesWrites(db.knex);
    expect(server.connections).toBe(2);
  });

  it('when it takes writes, then looking keeps its connection', async () => {
    await takesWrites(db.knex);
    later(5_000);
    for (let count = 0; count < 5; count += 1) await takesWrites(db.knex);
    expect(server.connections).toBe(1);
  });
});
