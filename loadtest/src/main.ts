import { Generator } from './generator.js';
import { keyOf, plannedOrders, type LoadLine, type LoadSettings } from './settings.js';
import { createWorkload } from './workload.js';

const PROGRESS_EVERY_MS = 250;

// A process of its own: neither what it measures nor its clock is disturbed by whoever reads the lines.
async function main(): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '') as LoadSettings;
  const workload = createWorkload({ ...settings, orderCount: plannedOrders(settings) });
  const generator = new Generator({
    connections: 128,
    timeoutMs: 10_000,
    retries: 0,
    ...settings,
    order: (index) => ({ ...workload.order(index), key: keyOf(settings.run, index) }),
  });
  const telling = setInterval(() => {
    write({ progress: generator.progress() });
  }, PROGRESS_EVERY_MS);
  const summary = await generator.run();
  clearInterval(telling);
  write({ progress: generator.progress() });
  write({ summary });
}

const write = (line: LoadLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

// Whoever started us is gone, however it ended.
process.once('disconnect', () => process.exit(1));

main().then(
  () => {
    if (process.connected) process.disconnect();
  },
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
