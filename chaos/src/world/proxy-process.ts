import { spawn, type ChildProcess } from 'node:child_process';

import type { Stack } from '@counterfoil/stack';

/** A proxy server that is a process of this machine, from its start to its end. */
export class ProxyProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private ended: string | null = null;

  /** @param stack sees to it that it does not outlive us: a real Toxiproxy would not notice that we are gone */
  constructor([program = '', ...args]: readonly string[], stack: Pick<Stack, 'guard'>) {
    // A group of its own, as the guard wants it; Ctrl-C in a terminal must not reach it before the services have stopped.
    this.child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
    const { pid } = this.child;
    const letGo = pid === undefined ? () => undefined : stack.guard(pid);
    this.exited = new Promise((resolve) => {
      const end = (how: string): void => {
        this.ended = how;
        letGo();
        resolve();
      };
      this.child.once('exit', (code, signal) => end(`it has ended (${signal ?? `exit code ${String(code)}`})`));
      this.child.on('error', ({ message }) => {
        if (pid === undefined) end(`it could not be started (${message})`);
      });
    });
  }

  /** Undefined when it has ended, or never was. */
  get pid(): number | undefined {
    return this.ended === null ? this.child.pid : undefined;
  }

  /** How it ended, or why it never was; null while it runs. */
  get end(): string | null {
    return this.ended;
  }

  /** Resolves when it has ended, however that came. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.exited;
  }
}
