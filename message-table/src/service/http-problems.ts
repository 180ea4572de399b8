import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { Problem, rawProblem, sendProblem } from './problem.js';

/** Everything that Node would answer by itself, before a handler sees a request, as the problem that a handler would send. */
export function answerAsProblems(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }: IncomingMessage, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && !isUnderWay(answers.get(socket))) socket.write(rawProblem(clientProblem(error)));
    // As Node does, so that what was written still leaves.
    if (socket instanceof Socket) socket.destroySoon();
    else socket.destroy(error);
  });
  server.on('checkExpectation', (_request, response) => {
    sendProblem(response, new Problem(417, 'expectation-failed', 'Expect can only say 100-continue'));
  });
}

/** A second answer would be taken for a part of it. */
const isUnderWay = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !response.writableFinished;

function clientProblem({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(431, 'headers-too-large', 'The headers are larger than 16 KiB');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408, 'too-slow', 'The request did not come in time');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem(413, 'too-large', 'The extensions of a chunk are larger than 16 KiB');
  return new Problem(400, 'malformed', 'This is not HTTP/1.1');
}

/** What HTTP/1.1 asks of every request; Node's own answer would have no body. */
export const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

export const NO_HOST = new Problem(400, 'malformed', 'A request needs a Host header');
