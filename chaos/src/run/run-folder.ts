import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Below the working directory. */
export const RUNS = 'runs';

/**
 * Makes a folder for one run alone. Several may begin in the same second, here and in other processes, and each would
 * overwrite what the others are judged by.
 *
 * @returns its path: `runs/<name>`, with -2, -3, … behind it where that is taken
 */
export async function makeRunFolder(name: string, runs = RUNS): Promise<string> {
  await mkdir(runs, { recursive: true });
  for (let number = 1; ; number += 1) {
    const folder = join(runs, number === 1 ? name : `${name}-${String(number)}`);
    if (await isMade(folder)) return folder;
  }
}

async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Of this second, for names that a listing puts in the order of time. */
export const stamp = (): string => new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-');
