import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackError } from './stack-error.js';

// Below 32768, where Linux takes the local ports of outgoing connections from: while a server is down,
// one of those could else take its port and keep it from coming back.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const PORTS_PER_BLOCK = 32;
const ATTEMPTS = 200;

/** A folder of our own whose name reserves a block of ports: making it is atomic, so stacks that start together never share one. */
export interface Reservation {
  folder: string;
  takePort(): Promise<number>;
}

export function reserve(): Reservation {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = FIRST_PORT + PORTS_PER_BLOCK * randomInt((LAST_PORT - FIRST_PORT) / PORTS_PER_BLOCK);
    const folder = join(tmpdir(), `counterfoil-${first}`);
    if (isMadeByUs(folder)) return { folder, takePort: portsFrom(first) };
  }
  throw new StackError(
    'no-free-ports',
    `No free block of ports: remove the folders ${join(tmpdir(), 'counterfoil-*')} of stacks that no longer run.`,
  );
}

function isMadeByUs(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function portsFrom(first: number): () => Promise<number> {
  let next = first;
  return async () => {
    while (next < first + PORTS_PER_BLOCK) {
      const port = next++;
      if (await isFree(port)) return port;
    }
    throw new StackError(
      'no-free-ports',
      `All ${PORTS_PER_BLOCK} ports of this stack are taken; give the services ports of their own.`,
    );
  };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
