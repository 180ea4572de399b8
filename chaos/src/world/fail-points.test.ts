import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FailPoints } from './fail-points.js';

/** Says what it is armed for, as the preload reads it. */
const ARMED_PROCESS = `
  process.on('SIGUSR2', () => process.stdout.write(require('node:fs').readFileSync(process.env.CHAOS_ARM_FILE)));
  process.stdin.resume().on('end', () => process.exit());
  process.stdout.write('ready');`;

describe('fail-points', () => {
  it('when a process is told to stand down, then it is armed for nothing any more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cf-'));
    const started: { pid?: number | undefined } = {};
    const failPoints = new FailPoints(folder, () => started.pid);
    const env = { ...process.env, ...failPoints.environment('relay-1') };
    const child = spawn(process.execPath, ['-e', ARMED_PROCESS], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const said = async (): Promise<string> => String(((await once(child.stdout, 'data')) as [Buffer])[0]);
    expect(await said()).toBe('ready');
    started.pid = child.pid;

    failPoints.arm('relay-1', { step: 'after-confirm-before-settle', action: 'crash' });
    expect(JSON.parse(await said())).toEqual({ step: 'after-confirm-before-settle', action: 'crash' });
    failPoints.standDown('relay-1');
    expect(JSON.parse(await said())).toBeNull();

    child.stdin.end();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
});
