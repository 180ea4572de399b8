import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

import { askedOrders } from './asked-orders.js';
import { Generator } from './generator.js';
import { arrivalsOf, keyOf, plannedOrders, type LoadLine, type LoadSettings } from './settings.js';

const PROGRESS_EVERY_MS = 250;

// A process of its own: neither what it measures nor its clock is disturbed by whoever reads the lines.
async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '') as LoadSettings;
  const asked = askedOrders({ ...settings, kind: settings.workload ?? 'powers', orderCount: plannedOrders(settings) });
  const answers = settings.answersFile === undefined ? null : createWriteStream(settings.answersFile);
  const generator = new Generator({
    // Twice what 1000 orders a second need at 250 ms each: fewer would make the generator late where the service is slow.
    connections: 512,
    timeoutMs: 10_000,
    retries: 0,
    ...settings,
    arrivals: arrivalsOf(settings),
    order: (index) => ({ ...asked.order(index), key: keyOf(settings.run, index) }),
    onEnd: ({ index, outcome, orderId, latencyMs, atMs }) => {
      answers?.write(
        `${String(index)} ${outcome.charAt(0)} ${atMs.toFixed(1)} ${latencyMs.toFixed(1)} ${orderId ?? ''}\n`,
      );
    },
  });
  await generator.open();
  const telling = setInterval(() => {
    write({ progress: generator.progress() });
  }, PROGRESS_EVERY_MS);
  const summary = await generator.run((startedMs) => write({ startedAt: performance.timeOrigin + startedMs }));
  clearInterval(telling);
  if (answers !== null) await finished(answers.end());
  write({ progress: generator.progress() });
  write({ summary });
}

const write = (line: LoadLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Whoever started us is gone, however it ended. */
const endAlone = (): never => process.exit(1);
process.once('disconnect', endAlone);

main().then(
  () => {
    // By itself it ends when the last line, which may be long, has been taken.
    process.off('disconnect', endAlone);
    if (process.connected) process.disconnect();
  },
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
