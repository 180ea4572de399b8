export type DatabaseKind = 'mariadb' | 'mysql';

export const LOG_FILE_MIB = 128;

/** Durable, and small enough for a machine that runs everything else as well; the same wherever the server runs. */
export const tuning = (kind: DatabaseKind): string[] => [
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
];
