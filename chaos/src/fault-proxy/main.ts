import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { firstValue } from './api/first-value.js';
import { VERSION } from './api/routes.js';
import { startFaultProxy, type Config } from './fault-proxy.js';

const USAGE =
  'Usage: node main.js [--host localhost] [--port 8474] [--seed N] [--config FILE] [--proxy-metrics] [--version]';

function settings(args: readonly string[]) {
  // The original's flags have one dash or two.
  const { values } = parseArgs({
    args: args.map((arg) => arg.replace(/^-(?=[a-z])/, '--')),
    options: {
      host: { type: 'string', default: 'localhost' },
      port: { type: 'string', default: '8474' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      config: { type: 'string' },
      'proxy-metrics': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  const [port, seed] = [Number(values.port), Number(values.seed)];
  if (!Number.isSafeInteger(port) || !Number.isSafeInteger(seed)) throw new Error(USAGE);
  const { host, config: configFile, version: isVersionAsked } = values;
  return { host, port, seed, configFile, withMetrics: values['proxy-metrics'], isVersionAsked };
}

async function main(): Promise<void> {
  const { isVersionAsked, configFile, ...options } = settings(process.argv.slice(2));
  if (isVersionAsked) return console.log(`toxiproxy-server version ${VERSION}`);
  const server = await startFaultProxy({
    ...options,
    ...(configFile === undefined ? {} : { config: configIn(configFile) }),
  });
  const { host, port } = server;
  console.log(JSON.stringify({ message: 'the fault proxy listens', host, port, seed: options.seed }));
  const stop = () => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

const configIn = (file: string): Config => ({
  read: async () => firstValue(await readFile(file, 'utf8')),
  onError: (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ message: 'the configuration could not be applied', file, reason }));
  },
});

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
