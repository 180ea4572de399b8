import { hostname } from 'node:os';

import { pino, type Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';

import { isWrongMigration, migrate } from '../database/migrate.js';
import { toError } from '../errors.js';
import { createEvents, type MessageTableEvents } from '../observe/events.js';
import { logEvents, logTraces } from '../observe/log-events.js';
import { measureEvents } from '../observe/measure-events.js';
import { runUntilSignal, type Service } from './lifecycle.js';
import { describeSettings, readSettings, type Rule, type SettingTable, type Values } from './settings.js';
import { startTracing, type Tracing } from './tracing.js';

export interface ProcessContext<Table extends SettingTable> {
  /** `order-service-4711`, in a container `order-service-<host>`: names this process in rows and on the broker. */
  readonly processName: string;
  readonly settings: Values<Table>;
  readonly events: MessageTableEvents;
  readonly registry: Registry;
  readonly log: Logger;
}

export interface Parts {
  /** In the order in which they are to be started. */
  readonly services: readonly Service[];
  /** How long stopping may take in all, ms. */
  readonly stopDeadlineMs: number;
}

export interface ProcessDefinition<Table extends SettingTable> {
  readonly name: string;
  readonly purpose: string;
  readonly settings: Table;
  readonly rules: readonly Rule<Table>[];
  readonly build: (context: ProcessContext<Table>) => Parts;
}

/** What every `main.ts` does: settings, logs, start, wait for a signal, stop, exit code. */
export async function runMain<Table extends SettingTable>(
  { name, purpose, settings: table, rules, build }: ProcessDefinition<Table>,
  host: NodeJS.Process,
): Promise<void> {
  if (host.argv.includes('--help')) {
    host.stdout.write(`${name}: ${purpose}\n\nSettings (environment variables):\n${describeSettings(table)}\n`);
    return;
  }
  const events = createEvents();
  const processName = processNameOf(name, host.pid);
  let settings: Values<Table>;
  let tracing: Tracing | null;
  try {
    settings = readSettings(table, rules, host.env);
    tracing = await startTracing({ name, processName, events, environment: host.env });
  } catch (error) {
    host.stderr.write(`${toError(error).message}\n\nWith --help it explains every setting.\n`);
    host.exit(1);
  }
  const log = pino({ name, level: host.env['LOG_LEVEL'] ?? 'info', base: { pid: host.pid } });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  logEvents(events, log);
  logTraces(events, log);
  measureEvents(events, registry);
  failLoudly(host, log);
  const { services, stopDeadlineMs } = build({ processName, settings, events, registry, log });
  const all = tracing === null ? services : [tracing.part(stopDeadlineMs), ...services];
  const code = await runUntilSignal(all, host, stopDeadlineMs, (error) => {
    log.error({ err: error }, 'a part did not stop cleanly');
  }).catch((error: unknown) => {
    log.fatal({ err: error }, 'could not start');
    return 1;
  });
  log.info({ code }, 'stopped');
  host.exit(code);
}

const LONGEST_NAME = 64;

/** In a container every process is number 1: there the host's name tells replicas apart. */
const processNameOf = (name: string, pid: number): string =>
  `${name}-${pid === 1 ? hostname() : String(pid)}`.slice(0, LONGEST_NAME);

/** What nobody caught is a bug: the process ends, and leases give back what it held. */
function failLoudly(host: NodeJS.Process, log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    host.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      host.exit(70);
    });
  }
}

/**
 * Applies migrations before the services behind it start; waits for a database that is away.
 *
 * Its start rejects with `MIGRATION_CHANGED`, `MIGRATION_FAILED` or `MIGRATION_NAME_TAKEN`: a process whose files do not fit
 * the database is not to work here.
 */
export function migrationService(url: string, folders: readonly string[], log: Logger): Service {
  const stopping = new AbortController();
  return {
    name: 'migrations',
    start: async () => {
      while (!stopping.signal.aborted) {
        try {
          await migrate(url, folders);
          return;
        } catch (error) {
          if (isWrongMigration(error)) throw error;
          log.warn({ err: error }, 'the database is not ready, migrations wait');
          await new Promise((resolve) => setTimeout(resolve, 1_000));
        }
      }
    },
    stop: () => {
      stopping.abort();
      return Promise.resolve();
    },
  };
}
