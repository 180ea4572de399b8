import { dirname, resolve } from 'node:path';
import { basicEnvironment, tracesEnvironment } from './basic-environment.js';
import { httpAnswer } from './http-answer.js';
import { ManagedProcess, type Command } from './managed-process.js';
import type { ServiceProcess, ServiceSpec } from './stack.js';
import type { Watchdog } from './watchdog.js';

export class NodeServiceProcess extends ManagedProcess implements ServiceProcess {
  constructor(
    private readonly spec: ServiceSpec,
    readonly port: number,
    logFile: string,
    watchdog: Watchdog,
  ) {
    super({ name: spec.name, url: `http://127.0.0.1:${port}`, logFile }, watchdog);
  }

  protected override command(): Command {
    const { script, env, args = [], nodeArgs = [], cwd } = this.spec;
    return {
      file: process.execPath,
      args: [...nodeArgs, resolve(script), ...args],
      env: { ...basicEnvironment(), ...tracesEnvironment(), PORT: String(this.port), ...env },
      cwd: cwd ?? dirname(resolve(script)),
    };
  }

  protected override async tryOut(): Promise<void> {
    await httpAnswer(`${this.url}${this.spec.readyPath ?? '/readyz'}`);
  }
}
