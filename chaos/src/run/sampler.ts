import { setTimeout as sleep } from 'node:timers/promises';

import { DEDUCT } from '@counterfoil/contracts';
import { coresBetween, sampleCpu, type CpuSample, type Watched } from '@counterfoil/loadtest';
import type { Managed } from '@counterfoil/stack';
import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';

import type { Sample } from '../facts.js';
import { sumOf } from '../measure/metrics-page.js';
import { readPages } from '../measure/read-pages.js';
import { busyCores, type MachineCpu } from '../measure/machine-cpu.js';
import type { World } from '../world/world.js';

const EVERY_MS = 500;
const ANSWER_MS = 400;

const BACKLOG = `
  SELECT COUNT(*) AS count
    FROM (SELECT 1 FROM producer_message FORCE INDEX (for_claim) WHERE status IN ('PENDING', 'SENDING') LIMIT 200000) AS waiting`;

/** Looks at the running world twice a second. What does not answer in time is null in that sample. */
export class Sampler {
  readonly samples: Sample[] = [];
  private readonly orders: readonly Pool[];
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private ended: Promise<void> | undefined;
  private lastCpu: CpuSample | null = null;
  private lastMachine: MachineCpu | null = null;

  constructor(
    private readonly world: World,
    private readonly startedMs: number,
    /** Processes that are neither servers nor services: the load, ourselves. */
    private readonly others: readonly Watched[],
    private readonly onSample: (sample: Sample) => void = () => undefined,
  ) {
    this.orders = world.orderDbs.map(({ url }) =>
      createPool({ uri: url, connectionLimit: 1, connectTimeout: ANSWER_MS }),
    );
  }

  start(): void {
    this.running = this.run();
  }

  /** May be called again. */
  stop(): Promise<void> {
    this.stopped = true;
    this.ended ??= this.end();
    return this.ended;
  }

  private async end(): Promise<void> {
    await this.running;
    await Promise.allSettled(this.orders.map((pool) => pool.end()));
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const lookedMs = performance.now();
      const sample = await this.look(lookedMs);
      this.samples.push(sample);
      this.onSample(sample);
      await sleep(Math.max(50, EVERY_MS - (performance.now() - lookedMs)));
    }
  }

  private async look(nowMs: number): Promise<Sample> {
    const [backlog, queueDepth, pages] = await Promise.all([
      inTime(this.backlog()),
      inTime(this.world.broker.queueDepth(DEDUCT.queue)),
      readPages(this.world.services.values(), ANSWER_MS),
    ]);
    const running = this.managed().flatMap(({ name, pid }) => (pid === undefined ? [] : [name]));
    return {
      ...{ atMs: Math.round(nowMs - this.startedMs), backlog, queueDepth, running },
      ...countsOf(pages),
      ...this.cpu(nowMs),
    };
  }

  private async backlog(): Promise<number> {
    const counts = this.orders.map(async (pool) => {
      const [rows] = await pool.query<RowDataPacket[]>(BACKLOG);
      return Number(rows[0]?.['count']);
    });
    return (await Promise.all(counts)).reduce((total, one) => total + one, 0);
  }

  private cpu(nowMs: number): Pick<Sample, 'cores' | 'foreignCores'> {
    const now = sampleCpu(this.watched(), nowMs);
    const machine = busyCores(this.lastMachine);
    const cores = coresBetween(this.lastCpu ?? now, now);
    this.lastCpu = now;
    this.lastMachine = machine.now;
    const ours = [...cores.values()].reduce((total, one) => total + one, 0);
    return {
      cores: Object.fromEntries(cores),
      foreignCores: machine.cores === null ? 0 : Math.max(0, machine.cores - ours),
    };
  }

  private watched(): Watched[] {
    const { stack, proxies } = this.world;
    const helpers: Watched[] = stack.helpers().map(({ name, pid }) => ({ name, pid: () => pid }));
    if (proxies !== null) helpers.push({ name: 'fault-proxy', pid: () => proxies.pid });
    return [...this.managed().map((one) => ({ name: one.name, pid: () => one.pid })), ...helpers, ...this.others];
  }

  private managed(): Managed[] {
    const { servers, services } = this.world;
    return [...servers, ...services.values()];
  }
}

function countsOf(
  pages: ReadonlyMap<string, string>,
): Pick<Sample, 'sentBy' | 'consumedBy' | 'emptyClaims' | 'leasesLost'> {
  const sentBy: Record<string, number> = {};
  const consumedBy: Record<string, number> = {};
  let emptyClaims = 0;
  let leasesLost = 0;
  for (const [name, page] of pages) {
    sentBy[name] = sumOf(page, 'counterfoil_messages_settled_total', 'to="SENT"');
    if (!name.includes('relay')) consumedBy[name] = sumOf(page, 'counterfoil_messages_consumed_total');
    emptyClaims += sumOf(page, 'counterfoil_claims_empty_total');
    leasesLost += sumOf(page, 'counterfoil_leases_lost_total');
  }
  return { sentBy, consumedBy, emptyClaims, leasesLost };
}

const inTime = <T>(asked: Promise<T>): Promise<T | null> =>
  Promise.race([asked, sleep(ANSWER_MS, null)]).catch(() => null);
