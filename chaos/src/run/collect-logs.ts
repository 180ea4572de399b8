import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { LogFinding } from '../facts.js';
import { scanLogs } from '../logs/scan.js';
import type { World } from '../world/world.js';

/** Keeps every process's log beside the run, and looks for what must not be in those of ours. */
export async function collectLogs({ servers, services }: World, folder: string): Promise<LogFinding[]> {
  const kept = join(folder, 'logs');
  await mkdir(kept, { recursive: true });
  for (const { logFile } of [...servers, ...services.values()]) {
    await copyFile(logFile, join(kept, basename(logFile))).catch(() => undefined);
  }
  const logs = [...services].map(([process, { logFile }]) => ({ process, file: logFile }));
  return scanLogs(logs, [...new Set(servers.map(({ url }) => new URL(url).password))]);
}
