import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Journal } from './journal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Takes nothing: a disk that is full, where there is such a thing. */
const full = (): string => (existsSync('/dev/full') ? '/dev/full' : join(folder, 'gone', 'full'));

describe('the journal of a run', () => {
  it('when it is closed, then its file has what its records are', async () => {
    const journal = new Journal(join(folder, 'history.jsonl'), 0);
    journal.add({ atMs: 1, kind: 'phase', name: 'load' });
    journal.add({ atMs: 2, kind: 'phase', name: 'books' });
    expect(await journal.close()).toEqual([]);
    const lines = readFileSync(join(folder, 'history.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(journal.records);
  });

  it('when only the last of it cannot be written, then closing it says so, and the records are whole', async () => {
    const journal = new Journal(full(), 0);
    journal.add({ atMs: 1, kind: 'phase', name: 'load' });
    expect(await journal.close()).toEqual([expect.stringMatching(/^full: E[A-Z]+: /)]);
    expect(journal.records).toHaveLength(1);
  });

  it('when nothing could be written from the start, then the run goes on, and the first reason is kept', async () => {
    const journal = new Journal(join(folder, 'gone', 'history.jsonl'), 0);
    const opened = new Promise((resolve) => setImmediate(resolve));
    for (let atMs = 0; atMs < 1_000; atMs += 1) journal.add({ atMs, kind: 'phase', name: 'load' });
    await opened;
    journal.add({ atMs: 1_000, kind: 'phase', name: 'books' });
    expect(await journal.close()).toEqual([expect.stringContaining('history.jsonl: ENOENT')]);
    expect(journal.records).toHaveLength(1_001);
  });
});
