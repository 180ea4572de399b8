import { endWhenBroken, endWhenNobodyReads } from '@counterfoil/stack';

import { endWithWorst } from './cli/end-with-worst.js';
import { readFlags, USAGE } from './cli/flags.js';
import { listLines } from './cli/list.js';
import { runAll } from './cli/run-all.js';
import { reportAgain, type Printer } from './cli/run-scenario.js';
import { shrinkRun } from './cli/shrink-run.js';
import { EXIT_CODES } from './verdict.js';

const isTerminal = process.stdout.isTTY;

const printer: Printer = {
  ownPid: process.pid,
  stepSummaryFile: process.env['GITHUB_STEP_SUMMARY'] ?? null,
  say: (text) => {
    process.stdout.write(`${isTerminal ? '\r\u001b[K' : ''}${text}\n`);
  },
  show: (text) => {
    if (isTerminal) process.stdout.write(`\r\u001b[K  ${text.slice(0, (process.stdout.columns || 80) - 4)}`);
  },
};

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2), Math.floor(Math.random() * 2 ** 32));
  if (flags === null) {
    printer.say(USAGE);
    return 0;
  }
  if (flags.list) {
    for (const line of listLines()) printer.say(line);
    return 0;
  }
  // Whatever ends us before there is a verdict, that is what is known.
  process.exitCode = EXIT_CODES.unknown;
  if (flags.shrink !== null) return shrinkRun(flags.shrink, flags, printer);
  const { report, jsonFile } = flags;
  return endWithWorst(jsonFile, printer, async () =>
    report === null ? runAll(flags, printer) : [await reportAgain(report, printer)],
  );
}

endWhenNobodyReads(process);
endWhenBroken(process, EXIT_CODES.unknown);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    printer.say(error instanceof Error ? error.message : String(error));
    process.exit(EXIT_CODES.unknown);
  },
);
