import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { startStack, type StackUrls } from '../index.js';

// Runs from dist/: a process of its own cannot load TypeScript.
const OWNER = join(__dirname, '..', '..', 'fixtures', 'own-a-stack.cjs');
const PORTS_PER_BLOCK = 32;
const NOBODY = 65_534;
const WITHOUT_MANAGEMENT = { management: false }; // its stop takes 5 s longer
const isRoot = process.getuid?.() === 0;

interface Owned {
  owner: ChildProcess;
  folder: string;
  urls: StackUrls;
}

jest.setTimeout(90_000);

describe('a stack never outlives its owner', () => {
  it('when the owner is killed with SIGKILL, then no process, port or folder is left', async () => {
    const { owner, folder } = await own([process.execPath]);
    owner.kill('SIGKILL');
    await expectNothingLeft(folder);
  });

  it('when the owner gets SIGTERM, then it stops the stack and ends by that signal', async () => {
    const { owner, folder } = await own([process.execPath]);
    owner.kill('SIGTERM');
    const [, signal] = (await once(owner, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGTERM');
    await expectNothingLeft(folder);
  });
});

describe('a stack belongs to whoever starts it', () => {
  it('when an ordinary user starts it, then the servers run as that user', async () => {
    const asOrdinary = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath];
    const { owner, folder } = await own(isRoot ? asOrdinary : [process.execPath]);
    const uids = processesOf(folder).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThanOrEqual(4); // two databases, the broker, the watchdog
    expect(new Set(uids)).toEqual(new Set([isRoot ? NOBODY : process.getuid?.()]));
    owner.kill('SIGTERM');
    await expectNothingLeft(folder);
  });

  it('when two are started at once, then they share nothing, and stopping one leaves the other ready', async () => {
    const [one, two] = await Promise.all([startStack(), startStack()]);
    const urls = [...Object.values(one.urls()), ...Object.values(two.urls())] as string[];
    expect(new Set(urls).size).toBe(8);
    await one.stop();
    expect(await Promise.all([two.orderDb, two.inventoryDb, two.broker].map((server) => server.isReady()))).toEqual([
      true,
      true,
      true,
    ]);
    await two.stop();
  });

  it('when its data is kept, then the next stack on that folder finds it', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'counterfoil-kept-'));
    const first = await startStack({ ...WITHOUT_MANAGEMENT, dataFolder, keepData: true });
    await first.broker.createVhost('kept');
    await first.stop();
    await rm(first.folder, { recursive: true });

    const second = await startStack({ ...WITHOUT_MANAGEMENT, dataFolder });
    expect(await second.broker.ctl('list_vhosts')).toContain('kept');
    await second.stop();
    await rm(dataFolder, { recursive: true });
  });
});

async function own(command: string[]): Promise<Owned> {
  const [file = process.execPath, ...args] = command;
  const owner = spawn(file, [...args, OWNER, JSON.stringify(WITHOUT_MANAGEMENT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  return { owner, ...(JSON.parse(line.toString()) as Omit<Owned, 'owner'>) };
}

async function expectNothingLeft(folder: string): Promise<void> {
  await isRemoved(folder);
  expect(processesOf(folder).filter(({ args }) => !args.includes('watchdog'))).toEqual([]);
  const first = Number(basename(folder).split('-')[1]);
  const ports = Array.from({ length: PORTS_PER_BLOCK }, (_, index) => first + index);
  expect((await Promise.all(ports.map(isOpen))).filter(Boolean)).toEqual([]);
}

/** The watchdog removes the folder last. */
async function isRemoved(folder: string): Promise<void> {
  const watcher = watch(dirname(folder));
  try {
    while (existsSync(folder)) await once(watcher, 'change', { signal: AbortSignal.timeout(15_000) });
  } finally {
    watcher.close();
  }
}

function processesOf(folder: string): { uid: number; args: string }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'uid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder)).map((line) => ({ uid: Number.parseInt(line), args: line }));
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
