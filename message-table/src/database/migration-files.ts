import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { MessageTableError } from '../errors.js';

/** One file of a migrations folder. */
export interface MigrationFile {
  /** What it is recorded by; not by its folder, which is another one on every machine. */
  readonly name: string;
  readonly path: string;
  readonly statements: readonly string[];
}

/** What a database knows of a file. */
export interface AppliedFile {
  readonly statementsDone: number;
  /** Of {@link checksumOf}; null where a version before this one applied it. */
  readonly checksum: string | null;
}

/**
 * The `*.sql` of each folder, in the order of its name. A folder that is named twice counts once.
 *
 * @throws MessageTableError `MIGRATION_NAME_TAKEN` when two folders have a file of one name: the second would pass for applied
 */
export async function readMigrations(folders: readonly string[]): Promise<MigrationFile[]> {
  const files = new Map<string, MigrationFile>();
  for (const folder of new Set(folders.map((path) => resolve(path)))) {
    for (const file of await filesIn(folder)) {
      const other = files.get(file.name);
      if (other !== undefined) throw nameTaken(other, file);
      files.set(file.name, file);
    }
  }
  return [...files.values()];
}

async function filesIn(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { name, path, statements: splitStatements(await readFile(path, 'utf8')) };
    }),
  );
}

const nameTaken = ({ name, path: first }: MigrationFile, { path: second }: MigrationFile): MessageTableError =>
  new MessageTableError(
    'MIGRATION_NAME_TAKEN',
    `Two migrations are called ${name}, and what was applied is recorded by that name: rename ${second} (the other one is ${first})`,
  );

/**
 * `<count>:<SHA-256>` of the first `count` statements: comments may change, and so may what was not applied yet. The count
 * is part of it, because a process of a version before this one goes on with the statements and leaves the checksum as it was.
 */
export function checksumOf(statements: readonly string[], count: number): string {
  const text = statements.slice(0, count).join(';\n');
  return `${String(count)}:${createHash('sha256').update(text).digest('hex')}`;
}

/** @throws MessageTableError `MIGRATION_CHANGED` when the file does not begin with what was applied under its name */
export function assertUnchanged({ name, path, statements }: MigrationFile, applied: AppliedFile): void {
  const { statementsDone, checksum } = applied;
  const count = checksum === null ? statementsDone : Number.parseInt(checksum, 10);
  const isThere = count <= statements.length && statementsDone <= statements.length;
  if (isThere && (checksum === null || checksum === checksumOf(statements, count))) return;
  throw new MessageTableError(
    'MIGRATION_CHANGED',
    `${path} is not what this database has applied as ${name}: it was changed afterwards, or another folder had a file of that name. ` +
      'Put the text back, and change the schema by a new file',
  );
}

/** Statements end with a `;` at the end of a line; comment lines are dropped. */
export function splitStatements(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
