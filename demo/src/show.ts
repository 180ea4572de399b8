import {
  createWorkload,
  insertProducts,
  measureConfirmation,
  plannedOrders,
  type LoadSettings,
  type LoadSummary,
  type Workload,
} from '@counterfoil/loadtest';
import type { Stack } from '@counterfoil/stack';
import type { Pool } from 'mysql2/promise';

import { readBooks } from './books/books.js';
import { openBooks } from './books/database.js';
import { judge, type Judgement } from './books/judge.js';
import type { DemoFlags } from './flags.js';
import { runLoad } from './run-load.js';
import { booksLines, measuredLines } from './render/books-table.js';
import { introduction } from './render/introduction.js';
import type { Screen } from './render/screen.js';
import type { Services } from './services.js';

export interface ShowOptions {
  readonly flags: DemoFlags;
  readonly stack: Stack;
  readonly services: Services;
  readonly screen: Screen;
  /** Of this process, for the table of processor time. */
  readonly ownPid: number;
}

/** Everything that a run of the show works with. */
export interface Stage extends ShowOptions {
  readonly settings: LoadSettings;
  readonly workload: Workload;
  readonly orders: Pool;
  readonly inventory: Pool;
}

/** Load with live numbers, then the books. @returns the verdict */
export async function runShow(options: ShowOptions): Promise<Judgement['verdict']> {
  const stage = await setTheStage(options);
  const { screen, flags, orders, inventory } = stage;
  screen.say(...introduction(flags, screen));
  const { summary, open, cores } = await runLoad(stage);
  const judgement = await closeTheBooks(stage, summary, open);
  const confirmationMs = await measureConfirmation(
    stage.stack.orderDb.url,
    stage.settings.run,
    flags.rate * flags.warmUpSeconds,
  );
  await Promise.all([orders.end(), inventory.end()]);
  const measured = { seconds: flags.seconds, load: summary, confirmationMs, cores };
  screen.say('', ...measuredLines(measured, screen), '', ...booksLines(judgement, screen));
  return judgement.verdict;
}

async function setTheStage(options: ShowOptions): Promise<Stage> {
  const { stack, services, flags } = options;
  const { rate, warmUpSeconds, seconds, seed } = flags;
  const url = services.orderService.url;
  const settings = { url, rate, warmUpSeconds, seconds, seed, run: `demo-${seed.toString(36)}`, firstProductId: 1 };
  const workload = createWorkload({ ...settings, orderCount: plannedOrders(settings) });
  await insertProducts(stack.inventoryDb.url, workload.productIds);
  return {
    ...options,
    settings,
    workload,
    orders: openBooks(stack.orderDb.url),
    inventory: openBooks(stack.inventoryDb.url),
  };
}

async function closeTheBooks(
  { services, settings, workload, orders, inventory }: Stage,
  summary: LoadSummary,
  open: number,
): Promise<Judgement> {
  const ended = services.all.filter((service) => !service.isRunning()).map(({ name }) => name);
  const client = { ...summary, run: settings.run, wantedRate: settings.rate };
  return judge({ workload, client, liveness: { open, ended }, books: await readBooks(orders, inventory) });
}
