import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Exit, Managed } from '@counterfoil/stack';

import { FailPoints } from '../world/fail-points.js';
import { Journal } from './journal.js';
import { watchProcesses } from './watch-processes.js';

const KILLED = { code: null, signal: 'SIGKILL', expected: false } as const;

/** What is written of these ends of a process that is added while it is watched. */
async function written(ends: readonly (Exit & { readonly crashedAtStep?: true })[]): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ends-'));
  const failPoints = new FailPoints(folder, () => process.pid);
  const journal = new Journal(join(folder, 'history.jsonl'), performance.now());
  const relay = Object.assign(new EventEmitter<{ exit: [Exit] }>(), { name: 'relay-3' });
  let lines = '';
  let add: (one: Managed) => void = () => undefined;
  watchProcesses({ watchAll: (watch) => void (add = watch), failPoints }, journal);
  add(relay as unknown as Managed);
  for (const { crashedAtStep, ...exit } of ends) {
    if (crashedAtStep) lines += `{"at":1,"step":"after-confirm-before-settle","action":"crash"}\n`;
    writeFileSync(join(folder, 'relay-3.steps'), lines);
    relay.emit('exit', exit);
  }
  await journal.close();
  rmSync(folder, { recursive: true });
  return journal.records;
}

describe('the end of a process', () => {
  it('when nobody asked for it, then that is written down, with its code and signal', async () => {
    const record = {
      kind: 'process',
      target: 'relay-3',
      what: 'exited',
      expected: false,
      code: null,
      signal: 'SIGKILL',
    };
    expect(await written([KILLED])).toMatchObject([record]);
    expect(await written([{ code: 1, signal: null, expected: true }])).toMatchObject([{ expected: true, code: 1 }]);
  });

  it('when it was at a step, then it was asked for, and the next one is not', async () => {
    const ends = await written([{ ...KILLED, crashedAtStep: true }, KILLED, { ...KILLED, crashedAtStep: true }]);
    expect(ends).toMatchObject([{ expected: true }, { expected: false }, { expected: true }]);
  });
});
