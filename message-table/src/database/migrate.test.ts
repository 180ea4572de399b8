import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MESSAGE_TABLE_MIGRATIONS, splitStatements } from './migrate.js';

describe('a migration file is cut into statements', () => {
  it('when a statement has comments and several lines, then it stays one statement', () => {
    expect(splitStatements('-- why\nCREATE TABLE a (\n  -- no\n  id INT\n);\n\nSELECT 1;\n')).toEqual([
      'CREATE TABLE a (\n  id INT\n)',
      'SELECT 1',
    ]);
  });

  it('when the last statement has no semicolon, then it counts too', () => {
    expect(splitStatements('SELECT 1;\nSELECT 2')).toEqual(['SELECT 1', 'SELECT 2']);
  });

  it('when a file is empty or only comments, then there is nothing to do', () => {
    expect(splitStatements('\n-- nothing;\n')).toEqual([]);
  });

  it('DB-21: when a table of ours is made, then no column changes by itself', () => {
    for (const name of readdirSync(MESSAGE_TABLE_MIGRATIONS)) {
      const sql = readFileSync(join(MESSAGE_TABLE_MIGRATIONS, name), 'utf8');
      expect(sql).not.toMatch(/\bTIMESTAMP\b|ON UPDATE|CURRENT_TIMESTAMP/i);
    }
  });
});
