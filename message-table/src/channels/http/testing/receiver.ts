import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server on a free port of one of this machine's own addresses; closing it cuts its connections. */
export interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Connections so far. */
  connections(): number;
}

async function listening(server: Server, host: string, port: number): Promise<Receiver> {
  const open = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    open.add(socket);
    // The channel cuts lines in the middle; that is what the tests are about.
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://${host}:${taken}/hook`,
    connections: () => count,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const httpReceiver = (answer: RequestListener, host = '127.0.0.1', port = 0): Promise<Receiver> =>
  listening(createHttpServer(answer), host, port);

/** Hands over each connection with the first bytes that came on it. */
export const tcpReceiver = (answer: (socket: Socket, first: Buffer) => void): Promise<Receiver> =>
  listening(
    createTcpServer((socket) => socket.once('data', (first) => answer(socket, first))),
    '127.0.0.1',
    0,
  );

/** Answers every connection with the same bytes and ends it. */
export const rawReceiver = (bytes: string): Promise<Receiver> => tcpReceiver((socket) => socket.end(bytes, 'latin1'));

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Keeps what comes in; answers with the given statuses in turn, the last one for ever. `never` leaves it unanswered. */
export async function recordingReceiver(
  answers: readonly (number | 'never')[],
): Promise<{ receiver: Receiver; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const receiver = await httpReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const answer = answers[Math.min(seen.length, answers.length - 1)] ?? 200;
      seen.push({ method, url, headers, body: Buffer.concat(chunks) });
      if (answer !== 'never') response.writeHead(answer).end();
    });
  });
  return { receiver, seen };
}

/** One byte at a time, until the other side has enough. */
export function dribble(socket: Socket, everyMs: number): void {
  const timer = setInterval(() => socket.write('.'), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** A 200 that takes its time. */
export function answerLate(response: ServerResponse, afterMs: number): void {
  const timer = setTimeout(() => response.end(), afterMs);
  response.on('close', () => clearTimeout(timer));
}

/** A 200 whose body never ends, one byte at a time. */
export function dribbleBody(response: ServerResponse, everyMs: number): void {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write('.'), everyMs);
  response.on('close', () => clearInterval(timer));
}

/** Writes the chunk again and again as fast as it is taken. @returns bytes handed over when the line is closed */
export function flood(socket: Socket, chunk: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    const write = (): void => {
      while (socket.writable) {
        bytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', write).on('close', () => resolve(bytes));
    write();
  });
}
