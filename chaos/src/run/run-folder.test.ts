import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeRunFolder } from './run-folder.js';

describe('the folder of a run', () => {
  let runs: string;
  beforeEach(() => {
    runs = join(mkdtempSync(join(tmpdir(), 'runs-')), 'runs');
  });
  afterEach(() => rmSync(join(runs, '..'), { recursive: true }));

  it('when runs of one name begin at once, then each has one of its own', async () => {
    const folders = await Promise.all(['a', 'a', 'a', 'b'].map((name) => makeRunFolder(name, runs)));
    expect(folders.sort()).toEqual(['a', 'a-2', 'a-3', 'b'].map((name) => join(runs, name)));
    expect(readdirSync(runs).sort()).toEqual(['a', 'a-2', 'a-3', 'b']);
  });

  it('when a name is taken by anything at all, then it is left alone', async () => {
    const first = await makeRunFolder('a', runs);
    writeFileSync(join(first, 'verdict.json'), '{}');
    writeFileSync(join(runs, 'a-2'), '');
    expect(await makeRunFolder('a', runs)).toBe(join(runs, 'a-3'));
    expect(readdirSync(first)).toEqual(['verdict.json']);
  });

  it('when none can be made, then it says why', async () => {
    const file = join(runs, '..', 'file');
    writeFileSync(file, '');
    await expect(makeRunFolder('a', file)).rejects.toThrow('EEXIST');
    await expect(makeRunFolder('no/such', runs)).rejects.toThrow('ENOENT');
  });
});
