import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { logTail } from './log-tail.js';
import type { Exit, Managed } from './stack.js';
import { StackError } from './stack-error.js';
import type { Watchdog } from './watchdog.js';

const READY_TIMEOUT_MS = 60_000;
const STOP_DEADLINE_MS = 20_000;
const LOOK_AGAIN_MS = 50;

export interface Command {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

export interface ProcessIdentity {
  name: string;
  url: string;
  logFile: string;
}

interface Run {
  pid: number;
  exited: Promise<Exit>;
  endIsExpected: boolean;
  exit?: Exit;
}

export abstract class ManagedProcess extends EventEmitter<{ exit: [Exit] }> implements Managed {
  readonly name: string;
  readonly url: string;
  readonly logFile: string;
  private run: Run | undefined;

  constructor(
    identity: ProcessIdentity,
    private readonly watchdog: Watchdog,
  ) {
    super();
    this.name = identity.name;
    this.url = identity.url;
    this.logFile = identity.logFile;
  }

  protected abstract command(): Command;

  /** Does the server's work once; rejects with the reason why it cannot. */
  protected abstract tryOut(): Promise<void>;

  get pid(): number | undefined {
    return this.isRunning() ? this.run?.pid : undefined;
  }

  get exited(): Promise<Exit> {
    if (!this.run) throw new StackError('not-running', `${this.name} has not been started yet.`);
    return this.run.exited;
  }

  launch(): void {
    if (this.isRunning()) throw new StackError('already-running', `${this.name} runs already (pid ${this.pid}).`);
    const { file, args, env, cwd } = this.command();
    const log = openSync(this.logFile, 'a');
    // A group of its own: Ctrl-C in a terminal must not reach the servers before the services have stopped.
    const child = spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    const pid = child.pid;
    if (pid !== undefined) this.watchdog.add(pid);
    const exited = new Promise<Exit>((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (run.exit) return;
        run.exit = { code, signal, expected: run.endIsExpected };
        if (pid !== undefined) this.watchdog.remove(pid);
        resolve(run.exit);
        this.emit('exit', run.exit);
      };
      child.once('exit', end);
      child.once('error', (error) => {
        appendFileSync(this.logFile, `${error.message}\n`);
        end(127, null);
      });
    });
    const run: Run = { pid: pid ?? 0, exited, endIsExpected: false };
    this.run = run;
  }

  async start(): Promise<void> {
    this.launch();
    await this.waitUntilReady();
  }

  async stop(): Promise<void> {
    if (!this.isRunning()) return;
    const ended = this.kill('SIGTERM');
    this.resume();
    const deadline = new AbortController();
    const tooLate = rest(STOP_DEADLINE_MS, undefined, { signal: deadline.signal }).then(
      () => this.kill(),
      () => undefined,
    );
    await ended;
    deadline.abort();
    await tooLate;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    const run = this.run;
    if (!run || run.exit) return this.exited;
    run.endIsExpected = true;
    // The whole group at SIGKILL: children of a service would outlive it.
    this.signal(signal, signal === 'SIGKILL' ? -run.pid : run.pid);
    return run.exited;
  }

  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async isReady(): Promise<boolean> {
    return (
      this.isRunning() &&
      this.tryOut().then(
        () => true,
        () => false,
      )
    );
  }

  async waitUntilReady(timeoutMs = READY_TIMEOUT_MS): Promise<void> {
    const giveUpAtMs = Date.now() + timeoutMs;
    let reason: unknown = 'it has not answered yet';
    while (Date.now() < giveUpAtMs) {
      if (!this.isRunning()) throw await this.exitedEarly();
      const tried = this.tryOut().then(
        () => 'ready' as const,
        (error: unknown) => ({ error }),
      );
      const outcome = await Promise.race([tried, this.exited.then(() => 'exited' as const)]);
      if (outcome === 'ready') return;
      if (outcome === 'exited') continue;
      reason = outcome.error;
      await rest(LOOK_AGAIN_MS);
    }
    throw new StackError(
      'not-ready',
      `${this.name} was not ready within ${timeoutMs} ms: ${messageOf(reason)}${this.logsForError()}`,
      { cause: reason },
    );
  }

  isRunning(): boolean {
    return this.run !== undefined && this.run.exit === undefined;
  }

  logs(lines = 40): string {
    return logTail(this.logFile, lines);
  }

  private async exitedEarly(): Promise<StackError> {
    const { code, signal } = await this.exited;
    return new StackError(
      'exited-early',
      `${this.name} ended before it was ready (${signal ?? `exit code ${code}`}).${this.logsForError()}`,
    );
  }

  private logsForError(): string {
    return `\nThe end of ${this.logFile}:\n${this.logs()}`;
  }

  private signal(signal: NodeJS.Signals, target = this.pid): void {
    if (target === undefined) return;
    try {
      process.kill(target, signal);
    } catch (error) {
      // It has ended by itself and Node has not told us yet.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join('; ');
  return reason instanceof Error ? reason.message : String(reason);
}
