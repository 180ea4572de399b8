import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ServiceProcess } from '@counterfoil/stack';

import { collectLogs } from './collect-logs.js';

describe('the logs of a run', () => {
  it('when they cannot be kept beside it, then they are looked through all the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logs-'));
    const logFile = join(folder, 'relay-1.log');
    writeFileSync(logFile, 'Uncaught Exception: boom\n');
    const relay = { name: 'relay-1', logFile } as unknown as ServiceProcess;
    // No folder can be made below a file.
    const collected = await collectLogs({ servers: [], allServices: [relay] }, logFile);
    expect(collected).toMatchObject({ logs: [{ process: 'relay-1', why: 'unhandled' }], unread: [] });
    rmSync(folder, { recursive: true });
  });
});
