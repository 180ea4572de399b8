import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { RunFlags, Tool } from './flags.js';
import { K6_FOLDER, type Summary } from './shared.js';

const IMAGE = 'grafana/k6:1.3.0';

/** Exit code, or null when the program is not there. */
type Run = (file: string, args: readonly string[], quiet: boolean) => Promise<number | null>;

const run: Run = (file, args, quiet) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: quiet ? 'ignore' : 'inherit' });
    child.once('error', () => {
      resolve(null);
    });
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });

/** The first that is there: a k6 of this machine, its image in Docker (pulled once when it can be), our own generator. */
export async function chooseTool(tell: (line: string) => void): Promise<Tool> {
  if ((await run('k6', ['version'], true)) === 0) return 'k6';
  if ((await run('docker', ['image', 'inspect', IMAGE], true)) === 0) return 'docker';
  if ((await run('docker', ['info'], true)) !== 0) return 'built-in';
  tell(`Looking for ${IMAGE} …`);
  return (await run('docker', ['pull', '--quiet', IMAGE], true)) === 0 ? 'docker' : 'built-in';
}

export interface K6Options extends Pick<RunFlags, 'profile' | 'rate' | 'seconds'> {
  readonly tool: 'k6' | 'docker';
  readonly url: string;
  readonly inventoryUrl: string;
}

/** @throws Error when k6 ends without a summary */
export async function runK6(options: K6Options): Promise<Summary> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-k6-'));
  const file = join(folder, 'summary.json');
  try {
    const [program, ...args] = commandOf(options, file);
    const code = await run(program, args, false);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) throw new Error(`k6 ended without a summary (exit code ${String(code)})`);
    return { ...(JSON.parse(text) as Summary), tool: options.tool };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function commandOf(options: K6Options, file: string): [program: string, ...args: string[]] {
  const { tool, profile, url, inventoryUrl, rate, seconds } = options;
  const isLocal = tool === 'k6';
  const settings = {
    ORDER_URL: url,
    INVENTORY_URL: inventoryUrl,
    SUMMARY: isLocal ? file : `/summary/${basename(file)}`,
    ...(rate === undefined ? {} : { RATE: String(rate) }),
    ...(seconds === undefined ? {} : { SECONDS: String(seconds) }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  if (isLocal) return ['k6', 'run', ...flags, join(K6_FOLDER, `${profile}.js`)];
  const folders = ['-v', `${K6_FOLDER}:/k6:ro`, '-v', `${dirname(file)}:/summary`];
  // Its own user could not write into our folder.
  const { uid, gid } = userInfo();
  const user = `${String(uid)}:${String(gid)}`;
  const container = ['run', '--rm', '--network', 'host', '--user', user, ...folders, IMAGE];
  return ['docker', ...container, 'run', ...flags, `/k6/${profile}.js`];
}
