import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { ManagedServer, type Identity } from './managed-server.js';
import { StackError } from './stack-error.js';
import type { Watchdog } from './watchdog.js';

export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

export abstract class ManagedProcess extends ManagedServer {
  private lastPid = 0;

  constructor(
    identity: Identity,
    private readonly watchdog: Watchdog,
  ) {
    super(identity);
  }

  protected abstract command(): Command;

  get pid(): number | undefined {
    return this.isRunning() ? this.lastPid : undefined;
  }

  async launch(): Promise<void> {
    this.mustNotRun();
    const { file, args, env, cwd } = this.command();
    const log = openSync(this.logFile, 'a');
    // A group of its own: Ctrl-C in a terminal must not reach the servers before the services have stopped.
    const child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    const pid = child.pid;
    this.lastPid = pid ?? 0;
    if (pid !== undefined) this.watchdog.add(pid);
    const ended = this.beginRun();
    child.once('exit', (code, signal) => {
      if (pid !== undefined) this.watchdog.remove(pid);
      ended(code, signal);
    });
    child.once('error', (error) => {
      appendFileSync(this.logFile, `${error.message}\n`);
      ended(127, null);
    });
  }

  pause(): Promise<void> {
    return this.send('SIGSTOP');
  }

  resume(): Promise<void> {
    return this.send('SIGCONT');
  }

  /** All processes of a machine share its loopback: none can be taken off it alone. */
  disconnect(): Promise<void> {
    const reason = `${this.name} is native: only a server in a container can be taken off its network (--stack containers).`;
    return Promise.reject(new StackError('not-in-this-stack', reason));
  }

  reconnect(): Promise<void> {
    return Promise.resolve();
  }

  protected override async send(signal: NodeJS.Signals): Promise<void> {
    const { pid } = this;
    // None: it could not even be started.
    if (pid === undefined || pid === 0) return;
    try {
      // The whole group at SIGKILL: children of a service would outlive it.
      process.kill(signal === 'SIGKILL' ? -pid : pid, signal);
    } catch (error) {
      // It has ended by itself and Node has not told us yet.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
