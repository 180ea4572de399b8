import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MESSAGE_TABLE_MIGRATIONS } from './migrate.js';
import { assertUnchanged, checksumOf, readMigrations, splitStatements, type MigrationFile } from './migration-files.js';

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

  it('when lines end as on Windows, then the statements are the same', () => {
    const text = '-- why\nCREATE TABLE a (\n  id INT\n);\nSELECT 1;\n';
    expect(splitStatements(text.replaceAll('\n', '\r\n'))).toEqual(splitStatements(text));
  });

  it('DB-21: when a table of ours is made, then no column changes by itself', () => {
    for (const name of readdirSync(MESSAGE_TABLE_MIGRATIONS)) {
      const sql = readFileSync(join(MESSAGE_TABLE_MIGRATIONS, name), 'utf8');
      expect(sql).not.toMatch(/\bTIMESTAMP\b|ON UPDATE|CURRENT_TIMESTAMP/i);
    }
  });
});

describe('folders of migrations', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'migrations-'));
    for (const folder of ['a', 'b']) await mkdir(join(root, folder));
  });
  afterEach(() => rm(root, { recursive: true }));

  const put = (path: string): Promise<void> => writeFile(join(root, path), 'SELECT 1;\n');

  it('when there are several, then their files come folder by folder, each in the order of the names', async () => {
    await Promise.all(['b/0001-x.sql', 'a/0102-z.sql', 'a/0101-y.sql', 'a/notes.txt'].map(put));
    const files = await readMigrations([join(root, 'a'), join(root, 'b'), join(root, 'b', '..', 'a')]);
    expect(files.map(({ name }) => name)).toEqual(['0101-y.sql', '0102-z.sql', '0001-x.sql']);
  });

  it('when two have a file of one name, then both are named and nothing is applied', async () => {
    await Promise.all(['a/0101-same.sql', 'b/0101-same.sql'].map(put));
    await expect(readMigrations([join(root, 'a'), join(root, 'b')])).rejects.toMatchObject({
      code: 'MIGRATION_NAME_TAKEN',
      message: expect.stringMatching(/a\/0101-same\.sql.*|b\/0101-same\.sql.*/),
    });
  });
});

describe('what was applied', () => {
  const file = (...statements: string[]): MigrationFile => ({ name: '1.sql', path: '/there/1.sql', statements });
  const applied = (statements: readonly string[], statementsDone = statements.length, count = statementsDone) => ({
    ...{ statementsDone, checksum: checksumOf(statements, count) },
  });
  const CHANGED = expect.objectContaining({
    code: 'MIGRATION_CHANGED',
    message: expect.stringContaining('/there/1.sql'),
  }) as Error;

  it('when the file still says it, then it may go on', () => {
    expect(() => assertUnchanged(file('A', 'B'), applied(['A', 'B']))).not.toThrow();
  });

  it('when only what was not applied yet has changed, then it may go on', () => {
    expect(() => assertUnchanged(file('A', 'C', 'D'), applied(['A', 'B'], 1))).not.toThrow();
  });

  it.each([[['A', 'x']], [['A']], [['B', 'A']], [['A;\nB']], [[]]])(
    'when A and B were applied and the file says %j, then it is refused by its path',
    (statements) => {
      expect(() => assertUnchanged(file(...statements), applied(['A', 'B']))).toThrow(CHANGED);
    },
  );

  it('when a version without checksums went on with it, then what has a checksum counts', () => {
    expect(() => assertUnchanged(file('A', 'B', 'C'), applied(['A', 'B'], 3, 2))).not.toThrow();
    expect(() => assertUnchanged(file('A', 'x', 'C'), applied(['A', 'B'], 3, 2))).toThrow(CHANGED);
    expect(() => assertUnchanged(file('A', 'B'), applied(['A', 'B'], 3, 2))).toThrow(CHANGED);
  });

  it('when it was applied before there were checksums, then only a file that is too short is known to have changed', () => {
    expect(() => assertUnchanged(file('A', 'x'), { statementsDone: 2, checksum: null })).not.toThrow();
    expect(() => assertUnchanged(file('A'), { statementsDone: 2, checksum: null })).toThrow(CHANGED);
  });
});
