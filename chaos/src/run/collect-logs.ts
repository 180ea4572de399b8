import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { LogFinding } from '../facts.js';
import { scanLog } from '../logs/scan.js';
import type { World } from '../world/world.js';

/** Keeps every process's log beside the run, and looks for what must not be in it. */
export async function collectLogs({ stack, services }: World, folder: string): Promise<LogFinding[]> {
  const kept = join(folder, 'logs');
  await mkdir(kept, { recursive: true });
  const findings: LogFinding[] = [];
  for (const [name, { logFile }] of services) {
    await copyFile(logFile, join(kept, basename(logFile)));
    findings.push(...scanLog(name, await readFile(logFile, 'utf8')));
  }
  for (const { logFile } of [stack.orderDb, stack.inventoryDb, stack.broker]) {
    await copyFile(logFile, join(kept, basename(logFile))).catch(() => undefined);
  }
  return findings;
}
