import { constants } from 'node:buffer';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readAnswers } from './answers.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'answers-'));
  file = join(folder, 'answers.txt');
});
afterEach(() => rmSync(folder, { recursive: true }));

const MIB = 2 ** 20;

/** Lines a MiB apart; what is between them takes no room on the disk. @returns how many */
function writeMoreThanAString(): number {
  const lines = Math.ceil(constants.MAX_STRING_LENGTH / MIB) + 1;
  const written = openSync(file, 'w');
  for (let index = 0; index < lines; index += 1) writeSync(written, `\n${String(index)} o 1.0 2.0 id`, index * MIB);
  closeSync(written);
  return lines;
}

describe('the answers of the load', () => {
  it('when they are read, then each line is one order, with the id only of one that was acknowledged', async () => {
    writeFileSync(file, '0 o 1.5 2.5 77\n2 f 10.0 0.5 \n1 i 3.0 1.0 \n');
    expect([...(await readAnswers(file))]).toEqual([
      { index: 0, outcome: 'ok', atMs: 1.5, latencyMs: 2.5, orderId: '77' },
      { index: 2, outcome: 'fail', atMs: 10, latencyMs: 0.5, orderId: null },
      { index: 1, outcome: 'info', atMs: 3, latencyMs: 1, orderId: null },
    ]);
  });

  it('when there was no order, then there is no answer', async () => {
    writeFileSync(file, '');
    expect([...(await readAnswers(file))]).toEqual([]);
  });

  it('when they are more than a string holds, then they are read all the same', async () => {
    const lines = writeMoreThanAString();
    let read = 0;
    for (const { index, outcome } of await readAnswers(file)) {
      if (index === read && outcome === 'ok') read += 1;
    }
    expect(read).toBe(lines);
  });
});
