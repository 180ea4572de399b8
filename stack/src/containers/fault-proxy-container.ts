import { httpAnswer } from '../http-answer.js';
import type { FaultProxyServer } from '../stack.js';
import type { Watchdog } from '../watchdog.js';
import type { Engine } from './engine.js';
import { ManagedContainer } from './managed-container.js';

export interface FaultProxyContainerSettings {
  image: string;
  hostName: string;
  network: string;
  apiPort: number;
  ports: number[];
  seed: number;
  logFile: string;
}

const API_PORT = 8474;

/** The original, as docker-compose.yml names it. */
const TOXIPROXY_IMAGE = 'ghcr.io/shopify/toxiproxy:2.12.0';

/** Toxiproxy in a container: the original, or whatever else speaks its API and takes its flags. */
export class FaultProxyContainer extends ManagedContainer implements FaultProxyServer {
  readonly ports: readonly number[];

  constructor({ hostName, apiPort, ports, seed, logFile, ...where }: FaultProxyContainerSettings, watchdog: Watchdog) {
    super(
      { name: 'fault-proxy', url: `http://127.0.0.1:${apiPort}`, logFile },
      {
        ...{ ...where, hostName },
        ports: [{ container: API_PORT, host: apiPort }, ...ports.map((port) => ({ container: port, host: port }))],
        environment: {},
        command: ['-host=0.0.0.0', `-seed=${seed}`],
        program: ['toxiproxy', 'toxiproxy-serve', 'node'],
      },
      watchdog,
    );
    this.ports = ports;
  }

  protected override async tryOut(): Promise<void> {
    await httpAnswer(`${this.url}/version`);
  }
}

/** The image that TOXIPROXY_IMAGE names, which must be had; else the original's, where this machine has it. */
export async function faultProxyImage({ container: { dockerode } }: Engine): Promise<string | null> {
  const named = process.env['TOXIPROXY_IMAGE'];
  if (named !== undefined && named !== '') return named;
  const original = dockerode.getImage(TOXIPROXY_IMAGE).inspect();
  return original.then(
    () => TOXIPROXY_IMAGE,
    () => null,
  );
}
