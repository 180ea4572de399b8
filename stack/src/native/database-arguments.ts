import { LOG_FILE_MIB, tuning } from '../database-tuning.js';
import type { NativePrograms } from './find-programs.js';

export interface DatabaseFiles {
  dataFolder: string;
  tmpFolder: string;
  socket: string;
  pidFile: string;
  initFile: string;
}

/** Durable, on loopback only, and blind to any configuration of this machine. */
export function serverArguments(
  kind: NativePrograms['database']['kind'],
  files: DatabaseFiles,
  port: number,
  added: string[],
): string[] {
  return [
    '--no-defaults', // must come first
    `--datadir=${files.dataFolder}`,
    // Its own: a server that starts removes what it takes for its predecessor's temporary tables.
    `--tmpdir=${files.tmpFolder}`,
    `--socket=${files.socket}`,
    `--pid-file=${files.pidFile}`,
    `--init-file=${files.initFile}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    ...runAs(),
    ...tuning(kind),
    ...added,
  ];
}

/** Fills an empty data folder with the system tables. */
export function initialiseCommand(
  database: NativePrograms['database'],
  dataFolder: string,
): [file: string, ...args: string[]] {
  if (database.kind === 'mysql') {
    return [database.server, '--no-defaults', '--initialize-insecure', `--datadir=${dataFolder}`, ...runAs()];
  }
  return [
    database.installer,
    '--no-defaults',
    `--datadir=${dataFolder}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    `--innodb-log-file-size=${LOG_FILE_MIB}M`,
    ...runAs(),
  ];
}

/** Run by the server at each start, before it takes connections: one statement a line. */
export function initStatements(database: string, user: string, password: string): string {
  const account = `'${user}'@'127.0.0.1'`;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4;`,
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${password}';`,
    `ALTER USER ${account} IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO ${account} WITH GRANT OPTION;`,
    '',
  ].join('\n');
}

// The servers refuse to run as root unless they are told to.
const runAs = () => (process.getuid?.() === 0 ? ['--user=root'] : []);
