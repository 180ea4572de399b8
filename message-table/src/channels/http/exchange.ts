import type { LookupFunction } from 'node:net';

import { Client } from 'undici';

import type { ResolvedAddress } from './vetted-addresses.js';

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string;
  /** The only addresses that the connection is made to. */
  readonly addresses: readonly ResolvedAddress[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | readonly string[] | undefined;
}

export interface ExchangeLimits {
  /** Ends connecting, waiting for headers and reading the body alike. */
  readonly deadline: AbortSignal;
  readonly attemptTimeoutMs: number;
  readonly maxAnswerBytes: number;
}

/**
 * Sends one request on a connection of its own.
 *
 * A connection kept for the next message could be closed by the receiver just then, or carry the rest of an answer
 * that was cut short: neither may be taken for that message's answer. The client neither follows redirects, nor
 * unpacks the body, nor repeats a request.
 *
 * @returns when the answer is whole, longer than the bound, or has not ended at the deadline: its status is known then.
 *   What it says is not kept, for it may repeat secrets
 * @throws whatever ended the exchange earlier
 */
export async function exchange(request: HttpRequest, limits: ExchangeLimits): Promise<HttpAnswer> {
  const { url, method, headers, content } = request;
  const { deadline, attemptTimeoutMs } = limits;
  const client = new Client(url.origin, {
    connect: { lookup: pinned(request.addresses), timeout: attemptTimeoutMs },
    // The deadline is the one clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const path = url.pathname + url.search;
    const answer = await client.request({ path, method, headers, body: content, signal: deadline, reset: true });
    await readBounded(answer.body, limits.maxAnswerBytes).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
    });
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
  } finally {
    // Ends the connection, also one that is still being made. Nobody waits for the socket's close.
    void client.destroy();
  }
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return;
  }
}

/** Only the look-up is replaced: `Host` and the name in TLS stay those of the URL. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
