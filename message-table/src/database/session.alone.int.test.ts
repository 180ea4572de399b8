import { createConnection } from 'mysql2/promise';

import { aReceived, ConsumerWorld } from '../testkit/consumer-world.js';
import { ScriptedEffect } from '../testkit/scripted-effect.js';
import { selectRows } from './rows.js';

// By itself: what new sessions inherit is set for the whole server.

let world: ConsumerWorld;
beforeEach(async () => {
  world = await ConsumerWorld.open();
  await ScriptedEffect.prepare(world.db);
});
afterEach(() => world[Symbol.asyncDispose]());

async function onServer(sql: string): Promise<void> {
  const connection = await createConnection(world.fresh.url);
  await connection.query(sql);
  await connection.end();
}

describe('what a server gives its sessions is not taken over', () => {
  it.each([
    ['autocommit', '0', '1'],
    ['completion_type', `'CHAIN'`, `'NO_CHAIN'`],
  ])('DB-15: when %s is %s there, then a note that was written is stored', async (variable, odd, usual) => {
    await onServer(`SET GLOBAL ${variable} = ${odd}`);
    try {
      const db = world.fresh.another({ poolMax: 1 });
      const inbox = world.inbox(new ScriptedEffect(), {}, db);
      const [success, failure] = [aReceived(), aReceived()];
      expect(await inbox.handle([success])).toEqual(['success']);
      expect(await inbox.recordFailure(failure, new Error('no'))).toBe('PENDING_RETRY');
      await db.close();
      expect((await world.notes()).map(({ messageId }) => messageId)).toEqual([success.messageId, failure.messageId]);
    } finally {
      await onServer(`SET GLOBAL ${variable} = ${usual}`);
    }
  });

  it('when a session begins, then it has the character set and the collation that the driver asks for', async () => {
    const [said] = await selectRows(
      world.db.knex,
      `SELECT @@character_set_client AS client, @@character_set_results AS results, @@collation_connection AS comparing`,
    );
    expect(said).toEqual({ client: 'utf8mb4', results: 'utf8mb4', comparing: 'utf8mb4_general_ci' });
  });
});
