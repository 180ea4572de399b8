import type { Invariant, RunFacts } from '../facts.js';
import { told } from './finding.js';

/** No unhandled rejection, no forbidden line and no secret in any log. */
export const cleanLogs = (facts: RunFacts): Invariant =>
  told({ id: 'I12', needs: ['logs'] }, facts, () => ({
    detail: `${String(facts.logs.length)} findings`,
    anomalies: facts.logs.map(({ process, why, line }) => `${process}: ${why}: ${line}`),
  }));
