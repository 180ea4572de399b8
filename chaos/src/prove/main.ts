import { endWhenNobodyReads } from '@counterfoil/stack';

import { SABOTAGES } from '../sabotage/all.js';
import { readFlags, USAGE } from './flags.js';
import { listLines } from './matrix.js';
import { prove, type Printer } from './prove.js';

const isTerminal = process.stdout.isTTY;

const printer: Printer = {
  ownPid: process.pid,
  say: (text) => {
    process.stdout.write(`${isTerminal ? '\r\u001b[K' : ''}${text}\n`);
  },
  show: (text) => {
    if (isTerminal) process.stdout.write(`\r\u001b[K  ${text.slice(0, (process.stdout.columns || 80) - 4)}`);
  },
};

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) printer.say(USAGE);
  else if (flags.list) for (const line of listLines(SABOTAGES)) printer.say(line);
  else {
    // Whatever ends us before all of it was shown, nothing is proved.
    process.exitCode = 1;
    return (await prove(flags, printer)) ? 0 : 1;
  }
  return 0;
}

endWhenNobodyReads(process);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    printer.say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
