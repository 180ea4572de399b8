import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Runs from dist/: a process of its own cannot load TypeScript.
const OWNER = join(__dirname, '..', '..', 'fixtures', 'own-a-stack.cjs');
const GONE_WITHIN_MS = 30_000;

jest.setTimeout(180_000);

describe('containers never outlive their owner', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'when the owner gets %s, then no container, network or folder is left',
    async (signal) => {
      const { owner, folder } = await own();
      expect(containersOf(folder)).toHaveLength(5);
      owner.kill(signal);
      await isRemoved(folder);
      expect(containersOf(folder)).toEqual([]);
      expect(engine('network', 'ls', '--format', '{{.Name}}').filter((name) => isOf(folder, name))).toEqual([]);
    },
  );

  it('when they run, then they are published on loopback and nowhere else', async () => {
    const { owner, folder } = await own();
    const ports = containersOf(folder).flatMap((name) => engine('port', name));
    expect(ports.length).toBeGreaterThanOrEqual(5);
    expect(ports.filter((line) => !line.includes('-> 127.0.0.1:'))).toEqual([]);
    owner.kill('SIGTERM');
    await isRemoved(folder);
  });
});

async function own(): Promise<{ owner: ChildProcess; folder: string }> {
  const options = JSON.stringify({ backend: 'containers', brokerNodes: 3 });
  const owner = spawn(process.execPath, [OWNER, options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const { folder } = JSON.parse(line.toString()) as { folder: string };
  return { owner, folder };
}

/** The watchdog removes the folder last. */
async function isRemoved(folder: string): Promise<void> {
  const watcher = watch(dirname(folder));
  try {
    while (existsSync(folder)) await once(watcher, 'change', { signal: AbortSignal.timeout(GONE_WITHIN_MS) });
  } finally {
    watcher.close();
  }
}

const containersOf = (folder: string): string[] =>
  engine('ps', '--all', '--format', '{{.Names}}').filter((name) => isOf(folder, name));

const isOf = (folder: string, name: string): boolean => name.startsWith(`${basename(folder)}-`);

const engine = (...args: string[]): string[] =>
  execFileSync('docker', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
