import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Runs from dist/: the harness starts the built services, and a process of its own cannot load TypeScript.
const MAIN = join(__dirname, '..', 'dist', 'main.js');
const SHORT = ['--seconds', '15', '--rate', '200', '--seed', '1'];

jest.setTimeout(300_000);

describe('the show', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cf-'));
    await mkdir(join(folder, 'tmp'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  // Folders of its own, so that what it leaves behind can be told from everybody else's.
  const start = () => {
    const env = { ...process.env, TMPDIR: join(folder, 'tmp') };
    const child = spawn(process.execPath, [MAIN, ...SHORT], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output.text += data.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null);
    return { child, output, ended };
  };

  it('when it is played, then the acts follow one another, the books are counted, and its report is kept', async () => {
    const { output, ended } = start();
    const code = await ended;
    const { text } = output;
    const acts = ['All is well.', 'The broker is killed.', 'The broker is back.', 'relay-1 is killed', '3 relays'];
    for (const act of acts) expect(text).toContain(act);
    // 200 a second for 10 s, and half of that in the 5 s of the warm-up.
    expect(numberAfter(text, 'orders in the books')).toBe(2_500);
    expect(numberAfter(text, 'orders lost')).toBe(0);
    expect(numberAfter(text, 'orders deducted twice')).toBe(0);
    expect(numberAfter(text, 'pieces missing or too many in stock')).toBe(0);
    expect(text).toContain('The books hold: no order was lost, none was deducted twice.');
    // A machine that others use as well makes it 2, and then it says so.
    expect(code).toBe(text.includes('(exit code 2)') ? 2 : 0);
    const page = /report +(\S+)/.exec(text)?.[1] ?? '';
    expect(readFileSync(join(folder, page), 'utf8')).toContain('</html>');
    expect(leftIn(folder)).toEqual([]);
  });

  it('when it is broken off, then it ends by that, and nothing runs on', async () => {
    const { child, output, ended } = start();
    while (!output.text.includes('The broker is killed.')) await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(output.text).toContain('Stopping …');
    expect(leftIn(folder)).toEqual([]);
  });
});

function numberAfter(text: string, label: string): number {
  const number = new RegExp(`^ *${label} +([\\d,]+)$`, 'm').exec(text)?.[1];
  return Number(number?.replaceAll(',', ''));
}

/** Processes that the folder is known to by command line or environment, and folders of stacks. */
function leftIn(folder: string): string[] {
  const known = (pid: string, file: string): string => {
    try {
      return readFileSync(join('/proc', pid, file), 'utf8');
    } catch {
      return ''; // it has ended meanwhile, or is somebody else's
    }
  };
  const pids = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const running = pids
    .map((pid) => ({ command: known(pid, 'cmdline'), environment: known(pid, 'environ') }))
    .filter(({ command, environment }) => (command + environment).includes(folder) && !command.includes('watchdog'))
    .map(({ command }) => command.replaceAll('\0', ' '));
  const stacks = readdirSync(join(folder, 'tmp')).filter((name) => /^counterfoil-\d+$/.test(name));
  return [...running, ...stacks];
}
