import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/**
 * A process beside ours that outlives us: when we die, by whatever signal, its pipe to us closes, and it kills the
 * processes that are registered and removes the folders.
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

  /** Everything is stopped and removed: nothing to watch any more. */
  release(): void {
    this.child.stdin?.end('release\n');
  }
}
