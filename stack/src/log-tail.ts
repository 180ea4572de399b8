import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 64 * 1024;

/** The last lines of a file; empty when there is no such file. */
export function logTail(file: string, lines: number): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const sizeBytes = fstatSync(descriptor).size;
    const buffer = Buffer.alloc(Math.min(sizeBytes, TAIL_BYTES));
    const readBytes = readSync(descriptor, buffer, 0, buffer.length, sizeBytes - buffer.length);
    return buffer.toString('utf8', 0, readBytes).trimEnd().split('\n').slice(-lines).join('\n');
  } finally {
    closeSync(descriptor);
  }
}
