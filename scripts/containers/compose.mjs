import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** One project of docker-compose.yml under a name and on ports of its own, beside any that runs already. */
export class Compose {
  constructor({ root, project, files, env }) {
    this.options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: MOST_OUTPUT_BYTES };
    this.prefix = ['compose', ...files.flatMap((file) => ['-f', file]), '-p', project];
  }

  /** Resolves to what it prints. @throws Error with what it complains about */
  async ask(...args) {
    return (await run('docker', [...this.prefix, ...args], this.options)).stdout;
  }

  /** Shows what it prints. */
  async show(...args) {
    const child = spawn('docker', [...this.prefix, ...args], {
      ...this.options,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
    if (code !== 0) throw new Error(`docker compose ${args.join(' ')} ended with ${code}`);
  }

  /** All containers of the project, those that do not run, too. */
  async containers() {
    const ids = (await this.ask('ps', '--all', '--quiet')).split('\n').filter(Boolean);
    const found = JSON.parse((await run('docker', ['inspect', ...ids], this.options)).stdout);
    return found.map(({ Id, Name, State, RestartCount, Config }) => ({
      id: Id,
      name: Name.slice(1),
      service: Config.Labels['com.docker.compose.service'],
      running: State.Running,
      exitCode: State.ExitCode,
      restarts: RestartCount,
      // A container without a check is as well as it can show.
      health: State.Health?.Status ?? (State.Running ? 'healthy' : 'none'),
      lastCheck: State.Health?.Log?.at(-1)?.Output.trim() ?? '',
    }));
  }

  async container(id) {
    return (await this.containers()).find((each) => each.id === id);
  }
}

export const docker = async (...args) => (await run('docker', args)).stdout.trim();
