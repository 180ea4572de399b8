import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Plan } from '../plan.js';
import { readPlan } from '../plan-file/read-plan.js';

/** Plans that once failed; `--scenario regressions` replays them all. */
export const REGRESSIONS = join(__dirname, '..', '..', 'regressions');

export async function readRegressions(folder: string): Promise<Plan[]> {
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readPlan(join(folder, name))));
}

/** @returns the path of the file, named after the scenario, the seed and what broke */
export async function keepRegression(folder: string, plan: Plan, broken: readonly string[]): Promise<string> {
  const name = [plan.scenario, plan.seed, ...broken].join('-').replace(/[^\w-]/g, '_');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  await writeFile(file, planText(plan));
  return file;
}

export const planText = (plan: Plan): string => `${JSON.stringify(plan, null, 2)}\n`;
