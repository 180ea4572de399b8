import { writeFile } from 'node:fs/promises';

import { endWhenNobodyReads } from '@counterfoil/stack';

import type { Progress } from '../generator.js';
import { runBuiltIn } from './built-in.js';
import { readFlags, USAGE, type RunFlags } from './flags.js';
import { chooseTool, runK6 } from './k6.js';
import { startPrivateSystem, type PrivateSystem } from './private-system.js';
import { loadShared, type Profile, type Shared, type Summary } from './shared.js';

const THRESHOLD_FAILED = 99;

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) {
    console.log(USAGE);
    return 0;
  }
  const shared = await loadShared();
  if (flags.list) {
    for (const [name, { says }] of Object.entries(shared.PROFILES)) console.log(`${name.padEnd(10)}${says}`);
    return 0;
  }
  process.exitCode = 1;
  const summary = await place(flags, shared);
  if (flags.json !== null) await writeFile(flags.json, `${JSON.stringify(summary, null, 2)}\n`);
  return summary.holds ? 0 : THRESHOLD_FAILED;
}

async function place(flags: RunFlags, shared: Shared): Promise<Summary> {
  const found = shared.PROFILES[flags.profile];
  if (found === undefined) throw new Error(`There is no profile '${flags.profile}'; --list names them`);
  const profile = shared.scaled(found, flags);
  const tool = flags.tool ?? (await chooseTool(tell));
  await using system = await systemOf(flags, profile);
  tell(`${flags.profile} (${tool}) …`);
  // k6 shows its summary itself.
  if (tool !== 'built-in') return await runK6({ ...flags, ...system, tool });
  const measured = await runBuiltIn({ ...system, profile, onProgress: tellProgress() });
  const summary = shared.makeSummary(flags.profile, profile, measured);
  console.log(shared.summaryText(summary));
  return summary;
}

async function systemOf({ url, inventoryUrl }: RunFlags, profile: Profile): Promise<PrivateSystem> {
  if (url !== null && inventoryUrl !== null) {
    return { url, inventoryUrl, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  tell('Starting two databases, a broker and the services …');
  return startPrivateSystem(profile);
}

const TELL_EVERY_MS = 10_000;

function tellProgress(): (progress: Progress) => void {
  let nextMs = TELL_EVERY_MS;
  return ({ elapsedMs, attempted, ok, fail, info, recentMs }) => {
    if (elapsedMs < nextMs) return;
    nextMs += TELL_EVERY_MS;
    const counts = `${String(attempted)} placed, ${String(ok)} accepted, ${String(fail)} refused, ${String(info)} unknown`;
    tell(`  ${(elapsedMs / 1000).toFixed(0).padStart(4)} s  ${counts}, p99 ${recentMs.p99.toFixed(0)} ms`);
  };
}

endWhenNobodyReads(process);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    tell(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
