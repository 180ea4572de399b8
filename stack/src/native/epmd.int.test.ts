import { readFileSync } from 'node:fs';
import { startStack, type Stack } from '../index.js';
import { processTable } from '../process-table.js';

describe("Erlang's name service belongs to the stack", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ backend: 'native', databases: [], management: false });
  }, 60_000);
  afterAll(async () => {
    for (const { pid } of epmdsOf(stack)) process.kill(pid, 'SIGKILL');
    await stack.stop();
  }, 60_000);

  it('when it has ended and rabbitmqctl is run, then that starts no other one', async () => {
    const [own, ...others] = epmdsOf(stack);
    expect([own?.parent, others]).toEqual([process.pid, []]);
    process.kill(own?.pid ?? 0, 'SIGKILL');

    await expect(stack.broker.ctl('list_users')).rejects.toMatchObject({ code: 'command-failed' });

    expect(epmdsOf(stack)).toEqual([]);
    expect(stack.broker.isRunning()).toBe(true);
  }, 60_000);
});

/** Those on the port of this stack: its programs find it in their environment, and the stack's own in its arguments. */
function epmdsOf(stack: Stack): { pid: number; parent: number }[] {
  const port = portOfEpmd(stack);
  return processTable().filter(({ pid, name }) => {
    if (name !== 'epmd') return false;
    const words = [...wordsIn(`/proc/${pid}/cmdline`), ...wordsIn(`/proc/${pid}/environ`)];
    return words.includes(`ERL_EPMD_PORT=${port}`) || words[words.indexOf('-port') + 1] === port;
  });
}

function portOfEpmd({ broker }: Stack): string {
  const [found = ''] = /(?<=ERL_EPMD_PORT=)\d+/.exec(readFileSync(broker.ctlProgram, 'utf8')) ?? [];
  expect(found).not.toBe('');
  return found;
}

function wordsIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
