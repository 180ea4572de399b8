import { startStack, type Stack } from '@counterfoil/stack';

import { readFlags, USAGE, type DemoFlags } from './flags.js';
import { Screen } from './render/screen.js';
import { startServices } from './services.js';
import { runShow } from './show.js';
import { untilSignal } from './until-signal.js';

const EXIT = { valid: 0, invalid: 1, unknown: 2 } as const;
const BROKEN_OFF = 130;

async function demo(flags: DemoFlags, screen: Screen): Promise<number> {
  const signal = untilSignal(process);
  let complete: Stack | undefined;
  const show = async (): Promise<number> => {
    const stack = await startStack(flags.stack);
    const services = await startServices(stack);
    complete = stack;
    return EXIT[await runShow({ flags, stack, services, screen, ownPid: process.pid })];
  };
  screen.say('', `${screen.paint.bold('Counterfoil')}${screen.paint.dim('  the local message table, at work')}`);
  screen.say('', screen.paint.dim('  Starting two databases, a broker and five services …'));
  try {
    return await Promise.race([show(), signal.then(() => BROKEN_OFF)]);
  } finally {
    // What is still starting when we end is cleared up by the stack's watchdog.
    await complete?.stop();
  }
}

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2), Math.floor(Math.random() * 2 ** 32));
  if (flags !== null) return demo(flags, new Screen(process.stdout, (process.env['NO_COLOR'] ?? '') !== ''));
  console.log(USAGE);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(EXIT.unknown);
  },
);
