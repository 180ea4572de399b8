import { EXIT_CODES } from '@counterfoil/chaos';
import { endWhenBroken, endWhenNobodyReads } from '@counterfoil/stack';

import { readFlags, USAGE, type DemoFlags } from './flags.js';
import { Screen } from './render/screen.js';
import { runShow } from './show.js';
import { untilSignal } from './until-signal.js';

const BROKEN_OFF = 130;

async function demo(flags: DemoFlags, screen: Screen): Promise<number> {
  const stop = new AbortController();
  void untilSignal(process).then(() => {
    screen.clear();
    screen.say(screen.paint.dim('  Stopping …'));
    stop.abort();
  });
  screen.say('', `${screen.paint.bold('Counterfoil')}${screen.paint.dim('  the local message table, at work')}`);
  try {
    return EXIT_CODES[await runShow({ flags, screen, signal: stop.signal, ownPid: process.pid })];
  } catch (error) {
    if (stop.signal.aborted) return BROKEN_OFF;
    throw error;
  }
}

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2), Math.floor(Math.random() * 2 ** 32));
  if (flags !== null) {
    process.exitCode = EXIT_CODES.unknown;
    return demo(flags, new Screen(process.stdout, (process.env['NO_COLOR'] ?? '') !== ''));
  }
  console.log(USAGE);
  return 0;
}

endWhenNobodyReads(process);
endWhenBroken(process, EXIT_CODES.unknown);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(EXIT_CODES.unknown);
  },
);
