import { createServer } from 'node:net';

const SERVICES = 5;

/** Looks once which of the ports are free. @returns for each service its port, or undefined where somebody else has it */
export async function portsFrom(first: number): Promise<(index: number) => number | undefined> {
  const ports = Array.from({ length: SERVICES }, (_, index) => first + index);
  const free = await Promise.all(ports.map(isFree));
  return (index) => (free[index] === true ? ports[index] : undefined);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
