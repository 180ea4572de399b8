import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file name that nobody else uses; whatever is there afterwards is removed, also when the process is ended meanwhile. */
export async function withScratchFile(work) {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-tally-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await work(join(folder, 'scratch'));
  } finally {
    remove();
    process.off('exit', remove);
  }
}
