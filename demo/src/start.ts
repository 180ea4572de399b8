import { parseArgs } from 'node:util';

import { announce, endWhenNobodyReads, startStack, type Stack, type StackUrls } from '@counterfoil/stack';

import { readStack } from './flags.js';
import { portsFrom } from './ports.js';
import { createPaint } from './render/paint.js';
import { startLines } from './render/start-lines.js';
import { startServices, type Services } from './services.js';
import { untilSignal } from './until-signal.js';

const FIRST_PORT = 3001;

async function main(): Promise<number> {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { stack: { type: 'string' } } });
  const options = readStack(values.stack);
  const paint = createPaint(process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '');
  const signal = untilSignal(process);
  let complete: Stack | undefined;
  let conceal = (): void => undefined;
  const start = async (): Promise<{ urls: StackUrls; services: Services }> => {
    const stack = await startStack(options);
    const channel = process.env['ORDER_CHANNEL'] === 'http' ? 'http' : 'rabbitmq';
    const services = await startServices(stack, { portOf: await portsFrom(FIRST_PORT), channel });
    complete = stack;
    conceal = announce(stack, process.pid);
    return { urls: stack.urls(), services };
  };
  console.log(
    `\n${paint.bold('Counterfoil')}\n\n${paint.dim('  Starting two databases, a broker and five services …')}`,
  );
  try {
    const ready = await Promise.race([start(), signal]);
    if (ready === 'signal') return 0;
    console.log(startLines(ready.urls, ready.services, paint).join('\n'));
    await signal;
    console.log(paint.dim('\n  Stopping …'));
    return 0;
  } finally {
    // What is still starting when we end is cleared up by the stack's watchdog.
    conceal();
    await complete?.stop();
  }
}

endWhenNobodyReads(process);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
