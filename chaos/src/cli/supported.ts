import type { BackendName } from '@counterfoil/stack';

import type { Plan } from '../plan.js';

/** Why a plan cannot be carried out on such servers; null: it can. */
export function whyNot({ world: { onlyIn } }: Pick<Plan, 'world'>, backend: BackendName): string | null {
  if (onlyIn === undefined || onlyIn === backend) return null;
  return `its servers have to run in ${onlyIn} (--stack ${onlyIn}), and these are ${backend}`;
}
