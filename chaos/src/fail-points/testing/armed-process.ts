import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ARM_FILE, STEPS_FILE, type Armed, type StepLine } from '../steps.js';

// From dist/: what is preloaded wraps the built modules of a process.
const PRELOAD = join(__dirname, '..', '..', '..', 'dist', 'fail-points', 'preload.js');

/** Where a script finds the built modules that the preload wraps. */
export const MESSAGE_TABLE = join(dirname(require.resolve('@counterfoil/message-table/package.json')), 'dist');

export interface ArmedEnd {
  /** The steps that it came to while it was armed for them. */
  readonly steps: readonly StepLine[];
  /** Its standard output, by lines. */
  readonly said: readonly string[];
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a script under the preload until it ends.
 *
 * @param script reads what it is armed for when it sends itself SIGUSR2, a moment later
 * @param url its `process.argv[1]`
 */
export async function runArmed(armed: Armed, script: string, url: string): Promise<ArmedEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'steps-'));
  const [armFile, stepsFile] = [join(folder, 'arm'), join(folder, 'steps')];
  try {
    writeFileSync(armFile, JSON.stringify(armed));
    const child = spawn(process.execPath, ['--require', PRELOAD, '-e', script, url], {
      env: { ...process.env, [ARM_FILE]: armFile, [STEPS_FILE]: stepsFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    const signal = await new Promise<NodeJS.Signals | null>((resolve) => {
      child.once('close', (_code, by) => resolve(by));
    });
    const lines = existsSync(stepsFile) ? readFileSync(stepsFile, 'utf8').trim().split('\n') : [];
    return { steps: lines.map((line) => JSON.parse(line) as StepLine), said: said.trim().split('\n'), signal };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
