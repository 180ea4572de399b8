import { Pool, type Dispatcher } from 'undici';

import { outcomeOfAnswer, outcomeOfError, type Outcome } from './outcome.js';

export interface OrderToSend {
  readonly productId: number;
  readonly quantity: number;
  /** Idempotency key, unique per order. */
  readonly key: string;
}

export interface Attempt {
  readonly outcome: Outcome;
  readonly body: string;
  /** When it was written to a connection, ms on the clock of performance.now(); null when it never was. */
  readonly sentAtMs: number | null;
}

export interface SenderOptions {
  readonly url: string;
  readonly connections: number;
  /** For the answer, from the moment the request is sent, ms. */
  readonly timeoutMs: number;
}

/** POST /orders on a bounded pool: a request that finds no connection waits for one, and no connection carries two at once. */
export class Sender {
  private readonly pool: Pool;
  private readonly base: string;

  constructor(private readonly options: SenderOptions) {
    const { origin, pathname } = new URL(options.url);
    this.base = pathname.replace(/\/$/, '');
    this.pool = new Pool(origin, {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.timeoutMs },
    });
  }

  /**
   * Opens all connections, as far as the service takes them. Node takes one new connection in each turn of its event loop:
   * under load, what comes by one waits for seconds while requests on the others are answered at once.
   */
  async open(): Promise<void> {
    const { connections, timeoutMs } = this.options;
    const look = {
      path: `${this.base}/healthz`,
      method: 'GET',
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    } as const;
    const looks = Array.from({ length: connections }, async () => (await this.pool.request(look)).body.dump());
    await Promise.allSettled(looks);
  }

  send({ productId, quantity, key }: OrderToSend, onEnd: (attempt: Attempt) => void): void {
    const { timeoutMs } = this.options;
    this.pool.dispatch(
      {
        path: `${this.base}/orders`,
        method: 'POST',
        headers: ['content-type', 'application/json', 'idempotency-key', key],
        body: `{"productId":${String(productId)},"quantity":${String(quantity)}}`,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      new AttemptHandler(onEnd),
    );
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}

/** Cheaper than a promise and a stream for each request. */
class AttemptHandler implements Dispatcher.DispatchHandler {
  private sentAtMs: number | null = null;
  private status = 0;
  private body = '';

  constructor(private readonly onEnd: (attempt: Attempt) => void) {}

  onRequestStart(): void {
    this.sentAtMs ??= performance.now();
  }

  onResponseStart(_controller: unknown, status: number): void {
    this.status = status;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.body += chunk.toString('utf8');
  }

  onResponseEnd(): void {
    this.end(outcomeOfAnswer(this.status, this.body));
  }

  onResponseError(): void {
    this.end(outcomeOfError(this.sentAtMs !== null));
  }

  private end(outcome: Outcome): void {
    this.onEnd({ outcome, body: this.body, sentAtMs: this.sentAtMs });
  }
}
