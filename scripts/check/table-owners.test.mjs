import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strayTableUses } from './table-owners.mjs';

const stray = (source, path = 'relay/src/relay.ts') => strayTableUses(path, source).map(({ line }) => line);

describe('only its store touches a message table', () => {
  it('when another file holds SQL on it, then the line is named', () => {
    assert.deepEqual(stray('const a = 1;\nrun(`UPDATE producer_message SET status = 1`);'), [2]);
    assert.deepEqual(stray('run(`SELECT id\n  FROM consumer_message`);'), [2]);
  });

  it('when the query builder or a constant names it, then the line is named', () => {
    assert.deepEqual(stray("await knex('producer_message').del();"), [1]);
    assert.deepEqual(stray("const TABLE = 'consumer_message';"), [1]);
  });

  it('when its store, a migration or a test holds it, then nothing is said', () => {
    for (const path of [
      'message-table/src/producer/store/claim.ts',
      'message-table/migrations/0001.ts',
      'relay/src/relay.int.test.ts',
      'message-table/src/testkit/rows.ts',
    ]) {
      assert.deepEqual(stray('`DELETE FROM producer_message`', path), []);
    }
  });

  it('when one side touches the table of the other, then the line is named', () => {
    assert.deepEqual(stray('`UPDATE consumer_message`', 'message-table/src/producer/store/claim.ts'), [1]);
    assert.deepEqual(stray('`UPDATE consumer_message`', 'message-table/src/consumer/store/retry.ts'), []);
  });

  it('when a comment, an event or another table has the name, then nothing is said', () => {
    assert.deepEqual(stray('// rows move from producer_message to the archive'), []);
    assert.deepEqual(stray('/** UPDATE producer_message */'), []);
    assert.deepEqual(stray("emit({ table: 'producer_message', id });"), []);
    assert.deepEqual(stray('`SELECT 1 FROM producer_message_archive`'), []);
  });
});
