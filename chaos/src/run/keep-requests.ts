import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { SeenRequest } from '../recorder/seen-request.js';
import type { World } from '../world/world.js';
import type { Journal } from './journal.js';

/** What the recorder saw, and a file of it for people; null where deductions do not go over HTTP. */
export async function keepRequests(
  { recorder }: Pick<World, 'recorder'>,
  journal: Pick<Journal, 'startedMs' | 'note'>,
  folder: string,
): Promise<readonly SeenRequest[] | null> {
  if (recorder === null) return null;
  const lines = recorder.seen.map(({ atMs, ...request }) =>
    JSON.stringify({ atMs: Math.round(atMs - journal.startedMs), ...request, tookMs: Math.round(request.tookMs) }),
  );
  await writeFile(join(folder, 'http-requests.jsonl'), `${lines.join('\n')}\n`).catch((error: unknown) => {
    journal.note(`http-requests.jsonl could not be written: ${String(error)}`);
  });
  return recorder.seen;
}
