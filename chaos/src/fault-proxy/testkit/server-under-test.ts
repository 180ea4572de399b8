import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { startFaultProxy } from '../fault-proxy.js';
import { eventually } from './eventually.js';

export interface ServerUnderTest {
  readonly url: string;
  /** Whether it is still there: the original dies of some inputs. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Ours in this process; with TOXIPROXY_BIN that program, as a process of its own. */
export async function startServer(seed = 1): Promise<ServerUnderTest> {
  const program = process.env['TOXIPROXY_BIN'];
  return program === undefined || program === '' ? startOurs(seed) : startProgram(program, seed);
}

export async function startOurs(seed: number): Promise<ServerUnderTest> {
  const server = await startFaultProxy({ host: '127.0.0.1', port: 0, seed, withMetrics: true });
  return { url: `http://127.0.0.1:${server.port}`, isAlive: () => true, stop: () => server.stop() };
}

async function startProgram(program: string, seed: number): Promise<ServerUnderTest> {
  const port = await freePort();
  const args = ['-host', '127.0.0.1', '-port', String(port), '-seed', String(seed), '-proxy-metrics'];
  const child = spawn(program, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const answers = () =>
    fetch(`${url}/version`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(answers, () => `${program} does not answer on ${url}`);
  const stop = async () => {
    if (isAlive()) child.kill('SIGKILL');
    await exited;
  };
  return { url, isAlive, stop };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
