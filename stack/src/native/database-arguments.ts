import type { NativePrograms } from './find-programs.js';

const LOG_FILE_MIB = 128;

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
    '--skip-name-resolve',
    '--skip-log-bin',
    '--character-set-server=utf8mb4',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-buffer-pool-size=256M',
    '--max-connections=300',
    '--performance-schema=OFF',
    ...(kind === 'mariadb'
      ? [`--innodb-log-file-size=${LOG_FILE_MIB}M`]
      : [`--innodb-redo-log-capacity=${LOG_FILE_MIB}M`, '--mysqlx=OFF']),
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
