import { parseArgs } from 'node:util';
import { down } from './cli/down.js';
import { keep } from './cli/keeper.js';
import { up } from './cli/up.js';
import { endWhenNobodyReads } from './end-when-nobody-reads.js';
import { readBackend } from './start-stack.js';
import type { StackUrls } from './stack.js';

const USAGE = `Usage: npm run stack -- up [--json] [--stack native|containers]   start the servers (or find them running) and print their URLs
       npm run stack -- down                                      stop them and remove their data`;

const tell = (line: string) => void process.stderr.write(`${line}\n`);

function print(urls: StackUrls, asJson: boolean): void {
  // No fault proxy yet; the key is part of the contract.
  const all = { ...urls, toxiproxy: null };
  if (asJson) console.log(JSON.stringify(all));
  else for (const [name, url] of Object.entries(all)) if (url !== null) console.log(`${name.padEnd(15)} ${url}`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      stack: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [verb, ...tooMany] = positionals;
  if (values.help) return console.log(USAGE);
  if (tooMany.length === 0 && verb === 'up') {
    return print((await up(__filename, readBackend(values.stack), tell)).urls, values.json);
  }
  if (tooMany.length === 0 && verb === 'down') return down(tell);
  if (verb === 'keep' && process.send) {
    return keep(readBackend(values.stack), (answer) => void process.send?.(answer));
  }
  throw new Error(USAGE);
}

endWhenNobodyReads(process);
main().catch((error: unknown) => {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
