import { readFile } from 'node:fs/promises';

import type { Outcome } from '@counterfoil/loadtest';

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

/** The file that the load process writes: a line for each order, `index outcome atMs latencyMs orderId`. */
export async function readAnswers(file: string): Promise<Answer[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [index, outcome = 'i', atMs, latencyMs, orderId = ''] = line.split(' ');
      return {
        index: Number(index),
        outcome: OUTCOMES[outcome] ?? 'info',
        atMs: Number(atMs),
        latencyMs: Number(latencyMs),
        orderId: orderId === '' ? null : orderId,
      };
    });
}
