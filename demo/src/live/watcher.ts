import { setTimeout as rest } from 'node:timers/promises';

import { coresBetween, sampleCpu, type CpuSample, type Progress, type Watched } from '@counterfoil/loadtest';
import type { Pool } from 'mysql2/promise';

import { countBacklog } from '../books/open-work.js';
import { OrderCounter } from '../books/order-counts.js';
import { totalStock } from '../books/stock.js';
import type { Services } from '../services.js';
import { CounterTotals, readCounters } from './counters.js';
import type { LiveNumbers } from './live-numbers.js';

export interface WatcherOptions {
  readonly services: Services;
  readonly orders: Pool;
  readonly inventory: Pool;
  readonly processes: readonly Watched[];
  readonly progress: () => Progress;
  readonly onLook: (numbers: LiveNumbers) => void;
}

const LOOK_EVERY_MS = 250;
const SCRAPE_MS = 1_000;
const CPU_OVER_MS = 1_000;

/** Looks at the running system four times a second; a look that fails shows the numbers of the one before. */
export class Watcher {
  private readonly totals = new CounterTotals();
  private readonly orderCounter: OrderCounter;
  private readonly samples: CpuSample[] = [];
  private measured: { from: CpuSample; to: CpuSample } | null = null;
  private rows: Pick<LiveNumbers, 'confirmed' | 'rejected' | 'backlog' | 'stock'> = {
    confirmed: 0,
    rejected: 0,
    backlog: [0, 0],
    stock: 0n,
  };
  private watching: Promise<void> | null = null;
  private stopped = false;

  constructor(private readonly options: WatcherOptions) {
    this.orderCounter = new OrderCounter(options.orders);
  }

  start(): void {
    this.watching = this.watch();
  }

  /** Shows the numbers once more as they are in the end. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.watching;
    await this.look();
  }

  /** Cores by process over the measured part of the load; empty without /proc. */
  measuredCores(): ReadonlyMap<string, number> {
    return this.measured === null ? new Map() : coresBetween(this.measured.from, this.measured.to);
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      const startedMs = performance.now();
      await this.look();
      await rest(Math.max(0, LOOK_EVERY_MS - (performance.now() - startedMs)));
    }
  }

  private async look(): Promise<void> {
    const load = this.options.progress();
    const atMs = performance.now();
    const cpu = this.sample(load, atMs);
    await Promise.all([this.scrapeAll(), this.readRows(atMs)]);
    const { orderService, inventoryService, orderRelays } = this.options.services;
    const sent = this.totals.of([orderService, ...orderRelays].map(({ name }) => name));
    this.options.onLook({
      atMs,
      load,
      sentByFastPath: sent.sentByFastPath,
      sentByRelay: sent.sentByRelay,
      deducted: this.totals.of([inventoryService.name]).consumed,
      ...this.rows,
      cores: cpu,
    });
  }

  private sample(load: Progress, atMs: number): Map<string, number> {
    const now = sampleCpu(this.options.processes, atMs);
    if (load.phase === 'measured') this.measured = { from: this.measured?.from ?? now, to: now };
    this.samples.push(now);
    while (atMs - (this.samples[1]?.atMs ?? atMs) >= CPU_OVER_MS) this.samples.shift();
    return coresBetween(this.samples[0] ?? now, now);
  }

  private async scrapeAll(): Promise<void> {
    const { orderService, inventoryService, orderRelays } = this.options.services;
    await Promise.all(
      [orderService, inventoryService, ...orderRelays]
        .map(async ({ name, url }) => {
          const metrics = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) }).then((answer) =>
            answer.text(),
          );
          this.totals.record(name, readCounters(metrics));
        })
        .map((scrape) => scrape.catch(() => undefined)),
    );
  }

  private async readRows(nowMs: number): Promise<void> {
    const { orders, inventory } = this.options;
    const read = Promise.all([
      this.orderCounter.look(nowMs),
      countBacklog(orders),
      countBacklog(inventory),
      totalStock(inventory),
    ]);
    const now = await read.catch(() => null);
    if (now === null) return;
    const [{ confirmed, rejected }, ordersBacklog, inventoryBacklog, stock] = now;
    this.rows = { confirmed, rejected, backlog: [ordersBacklog, inventoryBacklog], stock };
  }
}
