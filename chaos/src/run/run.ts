import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DECIDED, decidedRoute } from '@counterfoil/contracts';
import {
  askedOrders,
  insertProducts,
  plannedOrders,
  startLoad,
  type LoadProcess,
  type LoadSettings,
  type Progress,
} from '@counterfoil/loadtest';
import type { BackendName } from '@counterfoil/stack';

import { readBooks } from '../books/read-books.js';
import { readStartStock } from '../books/stock.js';
import type { RunFacts } from '../facts.js';
import { writeFacts, type KeptRun } from '../facts-file.js';
import { runFaults } from '../nemesis/nemesis.js';
import type { Plan } from '../plan.js';
import { Tap, type TapOptions } from '../witnesses/tap.js';
import { installWitnesses } from '../witnesses/install.js';
import { World } from '../world/world.js';
import { readAnswers } from './answers.js';
import { collectLogs } from './collect-logs.js';
import { Journal } from './journal.js';
import type { RunListener } from './listener.js';
import { reconcileRun } from './reconciling.js';
import { recordSteps } from './record-steps.js';
import { Sampler } from './sampler.js';
import { keepRequests } from './keep-requests.js';
import { settleAll, type AllSettled } from './settle-all.js';
import { watchProcesses } from './watch-processes.js';
import { whoIsUp } from './who-is-up.js';

export interface RunOptions {
  readonly plan: Plan;
  /** There, and of this run alone: plan, history, logs and the books' verdict stay here. */
  readonly folder: string;
  /** Modules that every process of ours loads first. */
  readonly preloads: readonly string[];
  /** Where the servers run; left out: as the stack chooses. */
  readonly backend?: BackendName;
  /** Of this process, for the samples of processor time. */
  readonly ownPid: number;
  readonly onProgress: (text: string) => void;
  readonly listener?: RunListener;
  /** Breaks the run off: everything is stopped, and the run rejects. */
  readonly signal?: AbortSignal;
}

/** One run: the plan is written down, the world started, loaded, broken, healed and left to settle; then the books are read. */
export async function run(options: RunOptions): Promise<KeptRun> {
  const { plan, folder, onProgress } = options;
  await writeFile(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  onProgress('starting the databases, the broker and the services');
  const brokenOff = whenAborted(options.signal);
  // What is still starting then is cleared up by the stack's watchdog, when this process ends.
  const world = await Promise.race([World.start(plan, options), brokenOff]);
  const begun = new Run(world, options);
  try {
    return await Promise.race([begun.carryOut(), brokenOff]);
  } finally {
    // Together: what waits for a server that answers nothing ends with that server.
    await Promise.all([begun.end(), world.stop()]);
  }
}

/** Rejects then; never resolves. */
function whenAborted(signal?: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('The run was broken off')));
  });
  aborted.catch(() => undefined); // between two races nobody else listens
  return aborted;
}

class Run {
  private readonly journal: Journal;
  private readonly runId: string;
  /** Each ends something that goes on by itself, and may have ended it before. */
  private readonly ends: (() => unknown)[] = [];

  constructor(
    private readonly world: World,
    private readonly options: RunOptions,
  ) {
    this.journal = new Journal(join(options.folder, 'history.jsonl'), performance.now(), options.listener?.onRecord);
    this.runId = `chaos-${world.plan.seed.toString(36)}`;
    for (const note of world.proxies?.notes ?? []) this.journal.note(note);
  }

  async carryOut(): Promise<KeptRun> {
    const { world, journal } = this;
    const { asked, tap, startStock, urls } = await this.prepare();
    watchProcesses(world, journal);
    const load = startLoad(this.loadSettings(), (progress) => this.tell(progress));
    this.ends.push(() => load.stop());
    const startedMs = await this.beginPhases(load);
    const sampler = this.sampler(load);
    this.ends.push(() => sampler.stop());
    sampler.start();
    const { signal = new AbortController().signal } = this.options;
    const [summary] = await Promise.all([load.summary, runFaults(world, journal, { startedMs, signal })]);
    await this.recordAnswers(startedMs);
    recordSteps(world, journal);
    const { byHand, ...settled } = await this.healAndSettle();
    this.options.onProgress('reconciling');
    const reconciling = { world, urls, run: this.runId, startStock };
    const { reconciliation, untold, ...end } = await reconcileRun(reconciling, settled);
    const up = await whoIsUp(world, (text) => journal.note(text));
    await sampler.stop();
    journal.write({ kind: 'phase', name: 'books' });
    this.options.onProgress('reading the books');
    const http = await keepRequests(world, journal, this.options.folder);
    const { books, unread } = await world.whileNothingMoves(() =>
      readBooks({ ...urls, run: this.runId, startStock, tap, http }),
    );
    const { logs, unread: unreadLogs } = await collectLogs(world, this.options.folder);
    const unwritten = await journal.close();
    const facts: RunFacts = {
      ...{ plan: world.plan, history: journal.records, load: summary, asked, books, reconciliation, logs },
      ...(byHand === null ? {} : { byHand }),
      end: { ...end, ...up, unread: [...unread, ...unreadLogs, ...untold], unwritten },
      samples: sampler.samples,
    };
    await writeFacts(this.options.folder, { facts, notes: journal.notes }).catch((error: unknown) => {
      journal.note(`the facts could not be kept: ${String(error)}`);
    });
    return { facts, notes: journal.notes };
  }

  /** However the run ended, nothing of it goes on beside the next one. */
  async end(): Promise<void> {
    await Promise.allSettled(this.ends.map((end) => end()));
  }

  /** Products, witnesses and the tap are there before the first order. */
  private async prepare() {
    const { stack, plan } = this.world;
    const urls = { orderDbs: this.world.orderDbs.map(({ url }) => url), inventoryDb: stack.inventoryDb.url };
    await installWitnesses(urls);
    const asked = askedOrders({ kind: plan.load.workload, seed: plan.seed, orderCount: plannedOrders(plan.load) });
    await insertProducts(urls.inventoryDb, asked.productIds, asked.stock);
    const tap = plan.world.tap ? await Tap.open(this.tapOptions()) : null;
    if (tap !== null) this.ends.push(() => tap.close());
    // RabbitMQ 3.10 loses a queue that a kill -9 meets within a second of its declaration; real ones are older.
    for (const node of stack.brokers) await node.flushDeclarations();
    return { asked, tap, urls, startStock: await readStartStock(urls.inventoryDb) };
  }

  private tapOptions(): TapOptions {
    const { shards = [] } = this.world.plan.world;
    const urls = this.world.stack.brokers.map(({ url }) => url);
    return { urls, decisionKeys: [DECIDED, ...shards.map(decidedRoute)].map(({ routingKey }) => routingKey) };
  }

  private loadSettings(): LoadSettings {
    const { load, seed } = this.world.plan;
    const { rate, warmUpSeconds, seconds, retries, workload, quiet = null } = load;
    const [url, ...moreUrls] = this.world.orderServiceUrls();
    return {
      ...{ url, moreUrls },
      rate,
      warmUpSeconds,
      seconds,
      quiet,
      retries,
      workload,
      seed,
      run: this.runId,
      firstProductId: 1,
      answersFile: this.answersFile,
    };
  }

  private sampler(load: LoadProcess): Sampler {
    const others = [
      { name: 'load', pid: () => load.pid },
      { name: 'harness', pid: () => this.options.ownPid },
    ];
    return new Sampler(this.world, this.journal.startedMs, others, this.options.listener?.onSample);
  }

  private get answersFile(): string {
    return join(this.options.folder, 'answers.txt');
  }

  /**
   * The phases of the load go by its own clock and its plan: what is told of it comes late on a busy machine.
   *
   * @returns when order 0 was due, on the clock of performance.now()
   */
  private async beginPhases(load: LoadProcess): Promise<number> {
    const { journal } = this;
    const startedMs = (await load.startedAt) - performance.timeOrigin;
    const atMs = Math.round(startedMs - journal.startedMs);
    journal.announce({ atMs, kind: 'phase', name: 'warm-up' });
    journal.add({ atMs: atMs + this.world.plan.load.warmUpSeconds * 1000, kind: 'phase', name: 'load' });
    return startedMs;
  }

  private tell(progress: Progress): void {
    this.options.listener?.onLoad(progress);
    const { elapsedMs, attempted, ok, fail, info } = progress;
    const seconds = (elapsedMs / 1000).toFixed(0);
    this.options.onProgress(
      `${seconds} s: ${String(attempted)} orders, ${String(ok)} ok, ${String(fail)} refused, ${String(info)} unknown`,
    );
  }

  private async recordAnswers(startedMs: number): Promise<void> {
    const offsetMs = startedMs - this.journal.startedMs;
    for (const { atMs, ...answer } of await readAnswers(this.answersFile)) {
      this.journal.add({ atMs: Math.round(atMs + offsetMs), kind: 'order', ...answer });
    }
  }

  private async healAndSettle(): Promise<AllSettled> {
    const { world, journal } = this;
    const { onProgress } = this.options;
    journal.write({ kind: 'phase', name: 'healing' });
    onProgress('healing what is broken');
    for (const note of await world.restore()) journal.note(note);
    journal.write({ kind: 'phase', name: 'settling' });
    onProgress('waiting until everything is final');
    return settleAll(world, onProgress);
  }
}
