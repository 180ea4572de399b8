import { createConnection } from 'node:net';
import { join } from 'node:path';
import { ManagedProcess, type Command } from '../managed-process.js';
import type { Watchdog } from '../watchdog.js';

/** Erlang's name service. A private one, because the broker would else start one that stays, on the port that all of this machine share. */
export class Epmd extends ManagedProcess {
  constructor(
    private readonly program: string,
    private readonly port: number,
    private readonly folder: string,
    watchdog: Watchdog,
  ) {
    super({ name: 'epmd', url: `tcp://127.0.0.1:${port}`, logFile: join(folder, 'epmd.log') }, watchdog);
  }

  protected override command(): Command {
    return {
      file: this.program,
      args: ['-port', String(this.port), '-address', '127.0.0.1'],
      env: {},
      cwd: this.folder,
    };
  }

  protected override tryOut(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ port: this.port, host: '127.0.0.1' }, () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', reject);
    });
  }
}
