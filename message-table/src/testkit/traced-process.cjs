'use strict';

// A process that traces: spans in quick succession until SIGTERM, then an orderly stop. Prints what it is told, a line each.
const { join } = require('node:path');

const { startTracing } = require(join(process.env.DIST, 'service', 'tracing.js'));
const { createEvents } = require(join(process.env.DIST, 'observe', 'events.js'));
const { tracer } = require(join(process.env.DIST, 'observe', 'tracer.js'));

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function main() {
  const events = createEvents();
  events.on('traceExport', say);
  const tracing = await startTracing({ name: 'shop', processName: 'shop-1', events, environment: process.env });
  const making = setInterval(() => tracer()?.startSpan('a').end(), 5);
  process.once('SIGTERM', async () => {
    clearInterval(making);
    tracer()?.startSpan('last').end();
    const startedMs = performance.now();
    const part = tracing?.part(10_000);
    await part?.stop();
    await part?.stop();
    say({ stoppedInMs: performance.now() - startedMs });
    process.exit(0);
  });
  say({ collects: tracer() !== null });
}

void main();
