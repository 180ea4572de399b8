import { readFile } from 'node:fs/promises';

import { z } from 'zod';

import type { Plan } from '../plan.js';
import { PLAN } from './plan-rules.js';

/**
 * A plan to be carried out: that of an earlier run, or one that somebody has changed by hand.
 * @throws Error that names the file, and the field that cannot be so: `p.json: load.rate must be a number above 0, not 0`
 */
export async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8');
  try {
    const plan: unknown = JSON.parse(text);
    const [issue] = PLAN.safeParse(plan).error?.issues ?? [];
    if (issue !== undefined) throw new Error(`${z.core.toDotPath(issue.path) || 'it'} ${issue.message}`);
    haveOwnIds((plan as Plan).faults);
    return plan as Plan;
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** By its id a fault is found in history and report, and waited for. */
function haveOwnIds(faults: Plan['faults']): void {
  const ids = faults.map(({ id }) => id);
  const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (again !== -1) throw new Error(`faults[${String(again)}].id is that of an earlier fault: ${String(ids[again])}`);
}
