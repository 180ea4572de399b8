import { execFile } from 'node:child_process';
import { StackError } from './stack-error.js';

const OUTPUT_BYTES = 16 * 1024 * 1024;

/** Resolves with what the command prints; rejects with what it complains about. */
export function runCommand(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { maxBuffer: OUTPUT_BYTES }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      reject(
        new StackError(
          'command-failed',
          `${[file, ...args].join(' ')} failed: ${(stderr || stdout || error.message).trim()}`,
          { cause: error },
        ),
      );
    });
  });
}
