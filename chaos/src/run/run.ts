import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  askedOrders,
  insertProducts,
  plannedOrders,
  startLoad,
  type LoadSettings,
  type Progress,
} from '@counterfoil/loadtest';

import { readBooks } from '../books/read-books.js';
import { readStartStock } from '../books/stock.js';
import type { ByHand, EndState, RunFacts } from '../facts.js';
import { runFaults } from '../nemesis/nemesis.js';
import type { Plan } from '../plan.js';
import { Tap } from '../witnesses/tap.js';
import { installWitnesses } from '../witnesses/install.js';
import { World } from '../world/world.js';
import { readAnswers } from './answers.js';
import { collectLogs } from './collect-logs.js';
import { Journal } from './journal.js';
import { Sampler } from './sampler.js';
import { retryByHand } from './retry-by-hand.js';
import { settleDown } from './settle-down.js';

export interface RunOptions {
  readonly plan: Plan;
  /** Made by the run: plan, history, logs and the books' verdict stay here. */
  readonly folder: string;
  /** Modules that every process of ours loads first. */
  readonly preloads: readonly string[];
  /** Of this process, for the samples of processor time. */
  readonly ownPid: number;
  readonly onProgress: (text: string) => void;
}

export interface FinishedRun {
  readonly facts: RunFacts;
  readonly notes: readonly string[];
}

/** One run: the plan is written down, the world started, loaded, broken, healed and left to settle; then the books are read. */
export async function run(options: RunOptions): Promise<FinishedRun> {
  const { plan, folder, preloads, onProgress } = options;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  onProgress('starting two databases, the broker and the services');
  const world = await World.start(plan, preloads);
  try {
    return await new Run(world, options).carryOut();
  } finally {
    await world.stop();
  }
}

class Run {
  private readonly journal: Journal;
  private readonly runId: string;

  constructor(
    private readonly world: World,
    private readonly options: RunOptions,
  ) {
    this.journal = new Journal(join(options.folder, 'history.jsonl'), performance.now());
    this.runId = `chaos-${world.plan.seed.toString(36)}`;
  }

  async carryOut(): Promise<FinishedRun> {
    const { world, journal } = this;
    const { asked, tap, startStock, urls } = await this.prepare();
    const startedMs = performance.now();
    const settings = this.loadSettings();
    this.watchProcesses();
    journal.write({ kind: 'phase', name: 'warm-up' });
    const load = startLoad(settings, this.tell(startedMs));
    const sampler = new Sampler(world, journal.startedMs, [
      { name: 'load', pid: () => load.pid },
      { name: 'harness', pid: () => this.options.ownPid },
    ]);
    sampler.start();
    const [summary] = await Promise.all([load.summary, runFaults(world, world.plan.faults, journal, startedMs)]);
    await this.recordAnswers(startedMs);
    this.recordSteps();
    const { byHand, ...end } = await this.healAndSettle();
    await sampler.stop();
    journal.write({ kind: 'phase', name: 'books' });
    this.options.onProgress('reading the books');
    const http = await this.keepRequests();
    const { books, unread } = await readBooks({ ...urls, run: this.runId, startStock, tap, http });
    const logs = await collectLogs(world, this.options.folder);
    await journal.close();
    const facts: RunFacts = {
      plan: world.plan,
      history: journal.records,
      load: summary,
      asked,
      books,
      end: { ...end, unread },
      ...(byHand === null ? {} : { byHand }),
      samples: sampler.samples,
      logs,
    };
    return { facts, notes: journal.notes };
  }

  /** Products, witnesses and the tap are there before the first order. */
  private async prepare() {
    const { stack, plan } = this.world;
    const urls = { orderDb: stack.orderDb.url, inventoryDb: stack.inventoryDb.url };
    await installWitnesses(urls);
    const asked = askedOrders({ kind: plan.load.workload, seed: plan.seed, orderCount: plannedOrders(plan.load) });
    await insertProducts(urls.inventoryDb, asked.productIds, asked.stock);
    const tap = plan.world.tap ? await Tap.open({ url: stack.broker.url }) : null;
    // RabbitMQ 3.10 loses a queue that a kill -9 meets within a second of its declaration; real ones are older.
    await stack.broker.flushDeclarations();
    return { asked, tap, urls, startStock: await readStartStock(urls.inventoryDb) };
  }

  private loadSettings(): LoadSettings {
    const { load, seed } = this.world.plan;
    const { rate, warmUpSeconds, seconds, retries, workload } = load;
    const url = this.world.orderServiceUrl();
    return {
      url,
      rate,
      warmUpSeconds,
      seconds,
      retries,
      workload,
      seed,
      run: this.runId,
      firstProductId: 1,
      answersFile: this.answersFile,
    };
  }

  private get answersFile(): string {
    return join(this.options.folder, 'answers.txt');
  }

  private watchProcesses(): void {
    const { world } = this;
    const { stack, services } = world;
    for (const one of [stack.orderDb, stack.inventoryDb, stack.broker, ...services.values()]) {
      one.on('exit', (exit) => {
        const expected = exit.expected || world.failPoints.isArmed(one.name);
        this.journal.write({ kind: 'process', target: one.name, what: 'exited', expected });
      });
    }
  }

  private tell(startedMs: number): (progress: Progress) => void {
    let phase = 'warm-up';
    return (progress) => {
      if (progress.phase === 'measured' && phase === 'warm-up') {
        phase = 'load';
        this.journal.write({ kind: 'phase', name: 'load' });
      }
      const { attempted, ok, fail, info } = progress;
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      this.options.onProgress(
        `${seconds} s: ${String(attempted)} orders, ${String(ok)} ok, ${String(fail)} refused, ${String(info)} unknown`,
      );
    };
  }

  private recordSteps(): void {
    const { world, journal } = this;
    const clockOffsetMs = Date.now() - performance.now() + journal.startedMs;
    for (const { target, at, step } of world.failPoints.reached([...world.services.keys()])) {
      journal.add({ atMs: Math.round(at - clockOffsetMs), kind: 'step', target, step, messageId: null });
    }
  }

  private async recordAnswers(startedMs: number): Promise<void> {
    const offsetMs = startedMs - this.journal.startedMs;
    for (const { index, outcome, atMs, latencyMs } of await readAnswers(this.answersFile)) {
      this.journal.add({ atMs: Math.round(atMs + offsetMs), kind: 'order', index, outcome, orderId: null, latencyMs });
    }
  }

  private async healAndSettle(): Promise<Omit<EndState, 'unread'> & { readonly byHand: ByHand | null }> {
    const { world, journal } = this;
    const { onProgress } = this.options;
    journal.write({ kind: 'phase', name: 'healing' });
    onProgress('healing what is broken');
    await world.restore();
    journal.write({ kind: 'phase', name: 'settling' });
    onProgress('waiting until everything is final');
    const { byHand, ...settled } = await this.settle();
    const processesUp = Object.fromEntries([...world.services].map(([name, service]) => [name, service.isRunning()]));
    return { ...settled, processesUp, byHand };
  }

  /** Where the plan has a person send again what is FAILED, that has to settle as well. */
  private async settle() {
    const { world, options } = this;
    const first = await settleDown(world);
    if (world.plan.expected.retriedByHand !== true) return { ...first, byHand: null };
    options.onProgress('sending again by hand what is FAILED');
    const byHand = await retryByHand(world.stack.orderDb.url);
    const { settledAfterMs, ...second } = await settleDown(world);
    const tookMs =
      first.settledAfterMs === null || settledAfterMs === null ? null : first.settledAfterMs + settledAfterMs;
    return { ...second, settled: first.settled && second.settled, settledAfterMs: tookMs, byHand };
  }

  /** What the recorder saw, for people as well. */
  private async keepRequests() {
    const { recorder } = this.world;
    if (recorder === null) return null;
    const lines = recorder.seen.map(({ atMs, ...request }) =>
      JSON.stringify({
        atMs: Math.round(atMs - this.journal.startedMs),
        ...request,
        tookMs: Math.round(request.tookMs),
      }),
    );
    await writeFile(join(this.options.folder, 'http-requests.jsonl'), `${lines.join('\n')}\n`);
    return recorder.seen;
  }
}
