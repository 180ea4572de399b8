import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** Where the container engine's HTTP API is. */
export type EngineAddress = { socketPath: string } | { host: string; port: number };

/**
 * A process beside ours that outlives us: when we die, by whatever signal, its pipe to us closes, and it kills the
 * processes, removes the containers and networks that are registered, and removes the folders.
 */
export class Watchdog {
  private readonly child: ChildProcess;

  constructor(foldersToRemove: string[]) {
    this.child = spawn(process.execPath, [join(__dirname, '..', 'watchdog.cjs'), ...foldersToRemove], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    this.child.unref();
    const pipe = this.child.stdin as Socket;
    pipe.unref();
    // Somebody killed the watchdog: we go on without.
    pipe.on('error', () => undefined);
  }

  add(pid: number): void {
    this.child.stdin?.write(`add ${pid}\n`);
  }

  remove(pid: number): void {
    this.child.stdin?.write(`remove ${pid}\n`);
  }

  addContainer(engine: EngineAddress, name: string): void {
    this.child.stdin?.write(`container ${name} ${JSON.stringify(engine)}\n`);
  }

  addNetwork(engine: EngineAddress, name: string): void {
    this.child.stdin?.write(`network ${name} ${JSON.stringify(engine)}\n`);
  }

  /** Everything is stopped and removed: nothing to watch any more. */
  release(): void {
    this.child.stdin?.end('release\n');
  }
}
