import { EventEmitter } from 'node:events';
import { setTimeout as rest } from 'node:timers/promises';
import { logTail } from './log-tail.js';
import type { Exit, Managed } from './stack.js';
import { StackError } from './stack-error.js';

const READY_TIMEOUT_MS = 60_000;
const STOP_DEADLINE_MS = 20_000;
const LOOK_AGAIN_MS = 50;

export interface Identity {
  name: string;
  url: string;
  logFile: string;
}

/** From one launch to its end. */
interface Run {
  exited: Promise<Exit>;
  endIsExpected: boolean;
  exit?: Exit;
}

/** What a process and a container have in common: they run or have ended, are ready or not, and write a log. */
export abstract class ManagedServer extends EventEmitter<{ exit: [Exit] }> implements Managed {
  readonly name: string;
  readonly url: string;
  readonly logFile: string;
  private run: Run | undefined;

  constructor(identity: Identity) {
    super();
    this.name = identity.name;
    this.url = identity.url;
    this.logFile = identity.logFile;
  }

  abstract readonly pid: number | undefined;
  abstract launch(): Promise<void>;
  abstract pause(): Promise<void>;
  abstract resume(): Promise<void>;

  /** Does the server's work once; rejects with the reason why it cannot. */
  protected abstract tryOut(): Promise<void>;

  /** Does nothing when it has just ended by itself. */
  protected abstract send(signal: NodeJS.Signals): Promise<void>;

  get exited(): Promise<Exit> {
    if (!this.run) throw new StackError('not-running', `${this.name} has not been started yet.`);
    return this.run.exited;
  }

  async start(): Promise<void> {
    await this.launch();
    await this.waitUntilReady();
  }

  async stop(): Promise<void> {
    if (!this.isRunning()) return;
    const ended = this.kill('SIGTERM');
    await this.resume();
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
    const { run } = this;
    if (!run || run.exit) return this.exited;
    run.endIsExpected = true;
    await this.send(signal);
    return run.exited;
  }

  /** The end of a server whose data nobody will read again. */
  async discard(): Promise<void> {
    if (this.isRunning()) await this.kill();
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

  /** @returns what tells that this run has ended; only its first call counts */
  protected beginRun(): (code: number | null, signal: NodeJS.Signals | null) => void {
    let resolveExited: (exit: Exit) => void = () => undefined;
    const run: Run = { exited: new Promise((resolve) => (resolveExited = resolve)), endIsExpected: false };
    this.run = run;
    return (code, signal) => {
      if (run.exit) return;
      run.exit = { code, signal, expected: run.endIsExpected };
      resolveExited(run.exit);
      this.emit('exit', run.exit);
    };
  }

  protected mustNotRun(): void {
    if (this.isRunning()) throw new StackError('already-running', `${this.name} runs already (pid ${this.pid}).`);
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
}

function messageOf(reason: unknown): string {
  if (reason instanceof AggregateError) return reason.errors.map(messageOf).join('; ');
  return reason instanceof Error ? reason.message : String(reason);
}
