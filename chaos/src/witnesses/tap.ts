import { setTimeout as sleep } from 'node:timers/promises';

import { DECIDED, DEDUCT } from '@counterfoil/contracts';
import { connect, type ChannelModel } from 'amqplib';

import type { Books } from '../facts.js';
import { closed, ended } from './connection-end.js';
import { TapLine, type TapRoute } from './tap-line.js';

export interface TapOptions {
  /** The broker's nodes, tried in turn. */
  readonly urls: readonly string[];
  /** Of all routes that decisions take; default the one without shards. */
  readonly decisionKeys?: readonly string[];
  readonly routes?: { readonly deductions: TapRoute; readonly decisions: TapRoute };
  /** Default quorum: it survives what the queues of the services survive, and costs the broker half of what a classic one does. */
  readonly queueType?: 'classic' | 'quorum';
}

const ROUTES = {
  deductions: { exchange: DEDUCT.exchange, routingKeys: [DEDUCT.routingKey], queue: 'chaos.tap.deduct' },
  decisions: { exchange: DECIDED.exchange, routingKeys: [DECIDED.routingKey], queue: 'chaos.tap.deduction-decided' },
};
const RECONNECT_REST_MS = 200;
const CONNECT_MS = 5_000;

/**
 * A second reader of everything that is published, on queues and a connection of its own. Its queues are durable and
 * acknowledged: a publish that the broker confirmed is in them, also when the broker was killed right after.
 *
 * It takes part in routing, so a message that finds no other queue is confirmed and not returned: scenarios that
 * remove a binding or a queue run without it.
 */
export class Tap {
  private readonly deductions: TapLine;
  private readonly decisions: TapLine;
  private model: ChannelModel | null = null;
  private attempts = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  private constructor(private readonly options: TapOptions) {
    const { deductions, decisions } = options.routes ?? ROUTES;
    this.deductions = new TapLine(deductions, options.queueType ?? 'quorum');
    const routingKeys = options.decisionKeys ?? decisions.routingKeys;
    this.decisions = new TapLine({ ...decisions, routingKeys }, options.queueType ?? 'quorum');
  }

  /** Resolves when the queues are bound and read. Call it before the load. */
  static async open(options: TapOptions): Promise<Tap> {
    const tap = new Tap(options);
    const model = await tap.connect();
    for (const line of tap.lines) await line.declare(model);
    for (const line of tap.lines) await line.attach(model);
    tap.running = tap.stayConnected(model);
    return tap;
  }

  /**
   * Reads what is left and takes the queues away. Call it when nothing is published any more.
   *
   * @throws Error when the queues could not be read to their end in time: then nothing may be said from the counts
   */
  async finish(timeoutMs = 30_000): Promise<Pick<Books, 'tap' | 'decisionTap'>> {
    try {
      for (const line of this.lines) await line.drained(timeoutMs);
      for (const line of this.lines) await line.remove();
      return { tap: this.deductions.published, decisionTap: this.decisions.published };
    } finally {
      await this.close();
    }
  }

  /** Gives up; the queues stay. */
  async close(): Promise<void> {
    this.stopping.abort();
    for (const line of this.lines) line.detach();
    await closed(this.model);
    await this.running;
  }

  private get lines(): TapLine[] {
    return [this.deductions, this.decisions];
  }

  private async connect(): Promise<ChannelModel> {
    const { urls } = this.options;
    const url = new URL(urls[this.attempts++ % urls.length] ?? '');
    url.searchParams.set('heartbeat', '10');
    const model = await connect(url.href, { timeout: CONNECT_MS });
    model.on('error', () => undefined);
    this.model = model;
    return model;
  }

  /** The broker is what the harness kills: the tap comes back as often as it has to. */
  private async stayConnected(first: ChannelModel): Promise<void> {
    const { signal } = this.stopping;
    for (let model: ChannelModel | null = first; ; model = await this.reconnect()) {
      if (model !== null) await ended(model, signal);
      for (const line of this.lines) line.detach();
      // It may have been stopped while it was connecting.
      if (signal.aborted) return closed(model);
      await sleep(RECONNECT_REST_MS);
    }
  }

  private async reconnect(): Promise<ChannelModel | null> {
    try {
      const model = await this.connect();
      for (const line of this.lines) await line.attach(model);
      return model;
    } catch {
      await closed(this.model);
      return null;
    }
  }
}
