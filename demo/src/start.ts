import { startStack, type Stack } from '@counterfoil/stack';

import { portsFrom } from './ports.js';
import { createPaint } from './render/paint.js';
import { startLines } from './render/start-lines.js';
import { startServices } from './services.js';
import { untilSignal } from './until-signal.js';

const FIRST_PORT = 3001;

async function main(): Promise<number> {
  const paint = createPaint(process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '');
  const signal = untilSignal(process);
  let stack: Stack | undefined;
  try {
    console.log(`\n${paint.bold('Counterfoil')}\n\n${paint.dim('  Starting two databases, a broker and five services …')}`);
    const started = startStack().then(async (servers) => {
      stack = servers;
      const ports = await portsFrom(FIRST_PORT);
      return { servers, services: await startServices(servers, ports) };
    });
    const ready = await Promise.race([started, signal]);
    if (ready === 'signal') return 0;
    console.log(startLines(ready.servers.urls(), ready.services, paint).join('\n'));
    await signal;
    console.log(paint.dim('\n  Stopping …'));
    return 0;
  } finally {
    // A stack that is still starting when we end is cleared up by its watchdog.
    await stack?.stop();
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
