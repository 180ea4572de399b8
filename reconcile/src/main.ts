import { createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';

import type { Person } from '@counterfoil/message-table';
import { endWhenBroken, endWhenNobodyReads, runningSystems } from '@counterfoil/stack';

import { readFlags, USAGE, type ReconcileFlags } from './cli/flags.js';
import { jsonListing, textListing } from './cli/render.js';
import { runReconcile } from './cli/run.js';
import { whichSystem } from './cli/which-system.js';

const WEEK_MS = 604_800_000;
const CANNOT_TELL = 2;

const write = (text: string): void => void process.stdout.write(text);

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) {
    write(`${USAGE}\n`);
    return 0;
  }
  const { env } = process;
  const given = { orderDb: env['ORDER_DB_URL'], inventoryDb: env['INVENTORY_DB_URL'] };
  const urls = whichSystem(given, runningSystems());
  const repairs = flags.replay ? { person: await personOf(flags), retentionMs: retentionMs() } : null;
  // Whatever ends us before everything was compared, it cannot be told.
  process.exitCode = CANNOT_TELL;
  const listing = flags.json ? jsonListing(write) : textListing(write);
  return runReconcile({ ...flags, urls, repairs, listing });
}

async function personOf({ why, who }: ReconcileFlags): Promise<Person> {
  return { who: who ?? userInfo().username, why: why ?? (await askWhy()) };
}

async function askWhy(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('--replay is recorded with its reason: say --why TEXT');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const why = (await terminal.question('Why are these replayed? ')).trim().slice(0, 500);
  terminal.close();
  if (why === '') throw new Error('Nothing was replayed: no reason was given');
  return why;
}

function retentionMs(): number {
  const given = process.env['RETENTION_INBOX_MS'] ?? '';
  const value = given === '' ? WEEK_MS : Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`RETENTION_INBOX_MS must be a whole number of milliseconds, not '${given}'`);
}

endWhenNobodyReads(process);
endWhenBroken(process, CANNOT_TELL);
main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = CANNOT_TELL;
  },
);
