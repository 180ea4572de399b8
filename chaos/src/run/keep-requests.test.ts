import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Recorder } from '../recorder/recorder.js';
import { keepRequests } from './keep-requests.js';

describe('the requests of a run', () => {
  it('when their file cannot be written, then they are judged all the same, and it is noted', async () => {
    const seen = [{ atMs: 7, messageId: 'm1', attempt: '7:1', answered: 202, tookMs: 1 }];
    const notes: string[] = [];
    const journal = { startedMs: 0, note: (text: string) => void notes.push(text) };
    const recorder = { seen } as unknown as Recorder;
    expect(await keepRequests({ recorder }, journal, join(tmpdir(), 'no-such-folder'))).toEqual(seen);
    expect(notes).toEqual([expect.stringContaining('http-requests.jsonl could not be written: Error: ENOENT')]);
  });
});
