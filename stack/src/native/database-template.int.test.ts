import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDataFolder } from './database-template.js';
import { findPrograms } from './find-programs.js';

describe('the first start on a machine', () => {
  const before = process.env['TMPDIR'];
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cf-'));
    process.env['TMPDIR'] = folder; // where there is no template yet
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await rm(folder, { recursive: true });
  });

  it('when several databases are filled at once, then none takes away the temporary tables of another', async () => {
    const { database } = findPrograms();
    const filled = Array.from({ length: 8 }, async (_, index) => {
      const workFolder = join(folder, `work-${String(index)}`);
      await mkdir(workFolder);
      await createDataFolder(database, join(folder, `data-${String(index)}`), workFolder);
    });
    await expect(Promise.all(filled)).resolves.toHaveLength(8);
  });
});
