import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StackError } from '../stack-error.js';

// Where packages put servers that an ordinary PATH does not reach. RabbitMQ's own folder comes before the PATH:
// Debian's /usr/sbin/rabbitmq-server is a wrapper that refuses everybody but root and its own user.
const USUAL_FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/local/mysql/bin',
  '/usr/libexec',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
  '/opt/homebrew/opt/mariadb/bin',
  '/usr/lib/erlang/bin',
];
const RABBITMQ_FOLDERS = ['/usr/lib/rabbitmq/bin'];

export interface NativePrograms {
  database: { server: string; kind: 'mariadb'; installer: string } | { server: string; kind: 'mysql' };
  broker: { server: string; ctl: string; epmd: string };
}

export function findPrograms(): NativePrograms {
  const database = findDatabase();
  const broker = findBroker();
  if (!database || !broker) {
    throw new StackError(
      'programs-missing',
      `Not found on this machine: ${missingPrograms().join(' and ')}. Run "npm run stack -- up": it installs them or says how.`,
    );
  }
  return { database, broker };
}

/** What is still to be installed, in words for a person; empty when the native backend can start. */
export function missingPrograms(): string[] {
  const missing: string[] = [];
  if (!findDatabase()) missing.push('MariaDB (mariadbd with mariadb-install-db) or MySQL (mysqld)');
  if (!findBroker()) missing.push('RabbitMQ (rabbitmq-server, rabbitmqctl, epmd)');
  return missing;
}

function findDatabase(): NativePrograms['database'] | undefined {
  const mariadbd = find('mariadbd');
  const installer = find('mariadb-install-db');
  if (mariadbd && installer) return { server: mariadbd, kind: 'mariadb', installer };
  const mysqld = find('mysqld');
  return mysqld ? { server: mysqld, kind: 'mysql' } : undefined;
}

function findBroker(): NativePrograms['broker'] | undefined {
  const server = find('rabbitmq-server', RABBITMQ_FOLDERS);
  const ctl = find('rabbitmqctl', RABBITMQ_FOLDERS);
  const epmd = find('epmd');
  return server && ctl && epmd ? { server, ctl, epmd } : undefined;
}

function find(name: string, first: string[] = []): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return [...first, ...onPath, ...USUAL_FOLDERS].map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
