import { readFile } from 'node:fs/promises';

import type { Outcome } from '@counterfoil/loadtest';

import { linesIn } from '../lines-in.js';

export interface Answer {
  readonly index: number;
  readonly outcome: Outcome;
  /** When its answer came, from the start of the load, ms. */
  readonly atMs: number;
  /** From the moment it was due, ms. */
  readonly latencyMs: number;
  /** The order's id in an `ok` answer. */
  readonly orderId: string | null;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = { o: 'ok', f: 'fail', i: 'info' };

/**
 * The file that the load process writes: a line for each order, `index outcome atMs latencyMs orderId`. Answers are made
 * as they are asked for: after hours of load the lines are more than a string holds, and all answers at once a lot of memory.
 */
export async function readAnswers(file: string): Promise<Iterable<Answer>> {
  return answersIn(await readFile(file));
}

function* answersIn(bytes: Buffer): Generator<Answer> {
  for (const line of linesIn(bytes)) {
    const [index, outcome = 'i', atMs, latencyMs, orderId = ''] = line.split(' ');
    yield {
      index: Number(index),
      outcome: OUTCOMES[outcome] ?? 'info',
      atMs: Number(atMs),
      latencyMs: Number(latencyMs),
      orderId: orderId === '' ? null : orderId,
    };
  }
}
