import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { LogFinding } from '../facts.js';
import { scanLogs } from '../logs/scan.js';
import type { World } from '../world/world.js';

export interface CollectedLogs {
  readonly logs: readonly LogFinding[];
  /** `logs: …` when one could not be read. */
  readonly unread: readonly string[];
}

/** Keeps every process's log beside the run, and looks for what must not be in those of ours. */
export async function collectLogs(
  { servers, allServices }: Pick<World, 'servers' | 'allServices'>,
  folder: string,
): Promise<CollectedLogs> {
  const kept = join(folder, 'logs');
  // What cannot be kept can be judged all the same.
  await mkdir(kept, { recursive: true }).catch(() => undefined);
  for (const { logFile } of [...servers, ...allServices]) {
    await copyFile(logFile, join(kept, basename(logFile))).catch(() => undefined);
  }
  const logs = allServices.map(({ name, logFile }) => ({ process: name, file: logFile }));
  const secrets = [...new Set(servers.map(({ url }) => new URL(url).password))];
  return scanLogs(logs, secrets).then(
    (found) => ({ logs: found, unread: [] }),
    (error: unknown) => ({ logs: [], unread: [`logs: ${String(error)}`] }),
  );
}
