import type { Database } from '../../database/database.js';
import { changeRows } from '../../database/rows.js';
import { repeatOnRace } from '../../database/transaction.js';
import type { Claim, Settlement } from '../producer-message.js';
import { fenceOf } from '../../database/fence.js';
import { readStates, type StoredState } from './read.js';
import { atLeast, backOff, pause, type RetryPolicy } from './retry-policy.js';

// Everything a holder may write about its rows. Each statement repeats the rule (`SENDING`, the held version),
// the row count is the verdict, and losing is a value.

export interface Settling {
  readonly claim: Claim;
  readonly settlement: Settlement;
}

export type Settled = 'settled' | 'lease-lost';

// FORCE INDEX: see claim.ts.
const update = (set: string): string => `
  UPDATE producer_message FORCE INDEX (PRIMARY)
     SET ${set}, claimed_by = NULL, update_time = NOW(3), version = version + 1
   WHERE id IN (?) AND status = 'SENDING' AND (id, version) IN (?)`;

const SENT = update(`status = 'SENT', sent_time = NOW(3), next_retry_time = NULL, lost_count = 0, error_msg = NULL`);
// next_retry_time comes first: MySQL evaluates from left to right, and back-off starts from the old count.
const REFUSED =
  update(`next_retry_time = ${atLeast(backOff('retry_count'))}, status = 'PENDING', retry_count = retry_count + 1,
         lost_count = 0, error_msg = ?`);
// A suspect keeps a count of one: whichever process claims it next sends it alone.
const UNKNOWN = update(`next_retry_time = ${atLeast(pause)}, status = 'PENDING', lost_count = ?, error_msg = ?`);
const GIVEN_BACK = update(`next_retry_time = NOW(3), status = 'PENDING'`);
const FAILED = update(
  `status = 'FAILED', next_retry_time = NULL, retry_count = retry_count + ?, lost_count = 0, error_msg = ?`,
);

function statementFor(settlement: Settlement, policy: RetryPolicy): { sql: string; bindings: unknown[] } {
  if (settlement.to === 'SENT') return { sql: SENT, bindings: [] };
  if (settlement.to === 'FAILED') return { sql: FAILED, bindings: [settlement.attemptUsed ? 1 : 0, settlement.reason] };
  switch (settlement.why) {
    case 'refused':
      return {
        sql: REFUSED,
        bindings: [policy.retryBaseMs, policy.retryMaxMs, settlement.pauseMs, settlement.reason],
      };
    case 'unknown':
      return {
        sql: UNKNOWN,
        bindings: [policy.unknownPauseMs, settlement.pauseMs, settlement.suspect ? 1 : 0, settlement.reason],
      };
    case 'given-back':
      return { sql: GIVEN_BACK, bindings: [] };
  }
}

/**
 * Writes outcomes, one statement for all rows that share one.
 *
 * May be called again for the same rows when an answer was lost: a row that is where it should be, one version
 * on, was written by us.
 *
 * @returns in the order of `settlings`
 * @throws the driver's error; some of the statements may have been carried out
 */
export async function settle(db: Database, policy: RetryPolicy, settlings: readonly Settling[]): Promise<Settled[]> {
  const lost = new Set<string>();
  for (const group of groupBySettlement(settlings)) {
    const { sql, bindings } = statementFor(group.settlement, policy);
    const { claims } = group;
    const changed = await repeatOnRace(db, () => changeRows(db.knex, sql, [...bindings, ...fenceOf(claims)]));
    if (changed < claims.length) for (const id of await notOurs(db, claims, group.settlement)) lost.add(id);
  }
  return settlings.map(({ claim }) => (lost.has(claim.id) ? 'lease-lost' : 'settled'));
}

function groupBySettlement(settlings: readonly Settling[]): { settlement: Settlement; claims: Claim[] }[] {
  const groups = new Map<string, { settlement: Settlement; claims: Claim[] }>();
  for (const { claim, settlement } of settlings) {
    const key = JSON.stringify(settlement);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { settlement, claims: [claim] });
    else group.claims.push(claim);
  }
  return [...groups.values()];
}

async function notOurs(db: Database, claims: readonly Claim[], settlement: Settlement): Promise<string[]> {
  const ids = claims.map(({ id }) => id);
  const states = new Map((await readStates(db.knex, ids)).map((state) => [state.id, state]));
  return claims.filter((claim) => !isOurWrite(claim, settlement, states.get(claim.id))).map(({ id }) => id);
}

/** The sweep also makes PENDING or FAILED of a row, one version on; it never counts an attempt. */
function isOurWrite({ version, retryCount }: Claim, settlement: Settlement, state: StoredState | undefined): boolean {
  return (
    state?.status === settlement.to &&
    state.version === version + 1 &&
    state.retryCount === retryCount + (usesAttempt(settlement) ? 1 : 0)
  );
}

const usesAttempt = (settlement: Settlement): boolean =>
  settlement.to === 'FAILED' ? settlement.attemptUsed : settlement.to === 'PENDING' && settlement.why === 'refused';
