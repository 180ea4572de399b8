import { once } from 'node:events';
import { createServer, request as sendOn, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Effect } from '../history.js';
import { hasMoved, headersOf, PASS, type Manner } from './manner.js';
import type { SeenRequest } from './seen-request.js';

interface Recorded extends SeenRequest {
  /** On the clock of performance.now(). */
  readonly atMs: number;
  /** `<id>:<version>` of the claim that it was sent under. */
  readonly attempt: string;
  answered: number | null;
  tookMs: number;
}

/**
 * Stands before the inventory on the way of the deductions over HTTP: writes down every request with how it was
 * answered, and answers badly or late itself when the nemesis tells it to. Each request has a connection of its own on
 * both sides, so that a receiver which dies is seen by exactly those who were asking.
 */
export class Recorder {
  readonly seen: Recorded[] = [];
  private manner: Manner = PASS;
  private effect: Record<string, number> = {};
  private next = 0;

  private constructor(
    private readonly server: Server,
    private readonly receivers: () => readonly string[],
  ) {}

  /** @param receivers the URLs of those that requests are passed on to, in turn */
  static async open(receivers: () => readonly string[]): Promise<Recorder> {
    const server = createServer();
    const recorder = new Recorder(server, receivers);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => recorder.handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recorder;
  }

  get url(): string {
    return `http://${this.hostPort}`;
  }

  get hostPort(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** @returns what the manner before this one did, in numbers */
  behave(manner: Manner): Effect {
    const { effect } = this;
    this.manner = manner;
    this.effect = {};
    return effect;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const { headers, url: path = '/' } = request;
    const record: Recorded = {
      atMs: performance.now(),
      messageId: textOf(headers['idempotency-key']),
      attempt: textOf(headers['x-attempt']),
      answered: null,
      tookMs: 0,
    };
    this.seen.push(record);
    response.once('finish', () => {
      record.answered = response.statusCode;
      record.tookMs = performance.now() - record.atMs;
    });
    const manner = hasMoved(path) ? PASS : this.manner;
    if (manner.kind === 'answer') this.answer(manner.status, request, response);
    else this.passOn(request, response, manner.kind === 'hold' ? manner.holdMs : 0);
  }

  private answer(status: number, request: IncomingMessage, response: ServerResponse): void {
    this.count(`answered${String(status)}`);
    request.resume();
    request.once('end', () => response.writeHead(status, headersOf(status, request.url ?? '/')).end());
  }

  /** Whatever goes wrong behind us cuts the sender's line, as it would without us. */
  private passOn(request: IncomingMessage, response: ServerResponse, holdMs: number): void {
    const { method, url = '/', headers } = request;
    const cut = (): void => void response.destroy();
    const receiver = this.receiver();
    if (receiver === undefined) return cut();
    const onward = sendOn(new URL(url, receiver), { method: method ?? 'POST', headers, agent: false });
    request.on('error', () => onward.destroy());
    onward.on('error', cut).once('response', (answer) => {
      const giveBack = (): void => {
        if (response.destroyed) return void answer.resume();
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', cut).pipe(response);
      };
      // A sender that has given up meanwhile is noticed first.
      if (holdMs === 0) return void setImmediate(giveBack);
      this.hold(response);
      setTimeout(() => setImmediate(giveBack), holdMs);
    });
    request.pipe(onward);
  }

  private hold(response: ServerResponse): void {
    const { effect } = this;
    this.count('answersHeld');
    response.once('close', () => {
      if (!response.writableFinished) effect['sendersGone'] = (effect['sendersGone'] ?? 0) + 1;
    });
  }

  private count(what: string): void {
    this.effect[what] = (this.effect[what] ?? 0) + 1;
  }

  private receiver(): string | undefined {
    const urls = this.receivers();
    return urls[this.next++ % urls.length];
  }
}

const textOf = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');
