import { getContainerRuntimeClient, type ContainerRuntimeClient } from 'testcontainers';
import { processTable } from '../process-table.js';
import { StackError } from '../stack-error.js';
import type { EngineAddress } from '../watchdog.js';

export type Engine = ContainerRuntimeClient;
export type Container = ReturnType<Engine['container']['getById']>;

/** The container engine that Testcontainers finds: DOCKER_HOST, the usual sockets, its own configuration. */
export async function containerEngine(): Promise<Engine> {
  try {
    return await getContainerRuntimeClient();
  } catch (cause) {
    throw new StackError(
      'programs-missing',
      'No container engine answers. Start Docker (or set DOCKER_HOST), or take --stack native.',
      { cause },
    );
  }
}

export function addressOf({ container: { dockerode } }: Engine): EngineAddress {
  const { socketPath, host, port } = dockerode.modem as { socketPath?: string; host?: string; port?: number | string };
  return socketPath === undefined ? { host: host ?? '127.0.0.1', port: Number(port ?? 2375) } : { socketPath };
}

/** Carries the packets and the logs of containers; its work is the stack's. */
const ENGINE_PROGRAMS = ['dockerd', 'containerd', 'containerd-shim', 'docker-proxy'];

export const engineProcesses = (): { name: string; pid: number }[] =>
  processTable()
    .filter(({ name }) => ENGINE_PROGRAMS.includes(name))
    .map(({ name, pid }) => ({ name: `${name} ${pid}`, pid }));

/** Docker's answers to what is done already: 304 unchanged, 404 no such thing, 409 in another state. */
export async function unlessDone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (![304, 404, 409].includes((error as { statusCode?: number }).statusCode ?? 0)) throw error;
  }
}
