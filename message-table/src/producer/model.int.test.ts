import fc, { type AsyncCommand } from 'fast-check';

import { refused, refusedForGood, suspect, unknown, type Outcome } from '../channels/outcome.js';
import { changeRows } from '../database/rows.js';
import { modelParameters } from '../testkit/model-parameters.js';
import { TableWorld, type ProducerRow } from '../testkit/table-world.js';
import { decide } from './decide.js';
import { LOST_LIMIT } from '../maintenance/end-leases.js';
import { HOUSE_COUNT, type Claim } from './producer-message.js';
import { giveUpMessage, replayMessage, retryMessage } from './store/actions.js';
import { claimBatch, claimSuspect, type ClaimOptions } from './store/claim.js';
import { insertRows } from './store/insert.js';
import { DEFAULT_RETRY_POLICY } from './store/retry-policy.js';
import { settle } from './store/settle.js';
import { sweepProducerLeases } from './store/sweep.js';

/**
 * Random commands against the real table and against a model of a few lines: after each of them every row is what
 * the model says. A failure prints the seed and the shortest list of commands that shows it.
 */

interface Row {
  status: 'PENDING' | 'SENDING' | 'SENT' | 'FAILED';
  version: number;
  retryCount: number;
  lostCount: number;
}

interface Held {
  readonly messageId: string;
  readonly claim: Claim;
}

/** What the model knows: the rows, and every claim that was ever handed out, the stale ones too. */
interface Model {
  rows: Map<string, Row>;
  claims: number;
}

interface Real {
  readonly world: TableWorld;
  readonly held: Held[];
}

type Command = AsyncCommand<Model, Real>;

const MAX_RETRY_COUNT = 3;
const ANN = { who: 'ann', why: 'test' };
const OPTIONS: ClaimOptions = {
  limit: 3,
  leaseMs: 60_000,
  claimedBy: 'model',
  byteBudget: 1_000_000,
  obstacle: () => null,
  suspectsKept: 5,
};

const messageIdOf = (index: number): string => `message-${String(index)}`;

/** Compares every row after the command has run. */
const command = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    const rows = await real.world.rows();
    expect(Object.fromEntries(rows.map((row) => [row.messageId, factsOf(row)]))).toEqual(
      Object.fromEntries(model.rows),
    );
  },
  toString: () => name,
});

const factsOf = ({ status, version, retryCount, lostCount }: ProducerRow): Row => ({
  status: status as Row['status'],
  version,
  retryCount,
  lostCount,
});

const accept = (sending: boolean): Command =>
  command(
    sending ? 'accept on the fast path' : 'accept',
    (model) => model.rows.size < 6,
    async (model, { world }) => {
      const index = model.rows.size;
      const status = sending ? 'SENDING' : 'PENDING';
      await insertRows(world.db.knex, [
        {
          id: String(1000 + index),
          messageId: messageIdOf(index),
          taskName: 'model',
          channel: 'rabbitmq',
          exchange: 'x',
          routingKey: 'y',
          channelConfig: null,
          content: '{}',
          headers: null,
          status,
          maxRetryCount: MAX_RETRY_COUNT,
          actsInMs: sending ? 60_000 : 0,
          claimedBy: null,
        },
      ]);
      model.rows.set(messageIdOf(index), { status, version: 0, retryCount: 0, lostCount: 0 });
    },
  );

const claim = (house: number): Command =>
  command(
    `claim in house ${String(house)}`,
    () => true,
    async (model, { world, held }) => {
      const { claims, suspects } = await claimBatch(world.db, [house], OPTIONS);
      for (const one of claims) take(model, held, one, 0);
      const [first] = suspects;
      const alone = first === undefined ? null : await claimSuspect(world.db, first, OPTIONS);
      if (alone !== null) take(model, held, alone, 1);
    },
  );

function take(model: Model, held: Held[], taken: Claim, leastLost: number): void {
  const row = model.rows.get(taken.messageId);
  expect(row?.status).toBe('PENDING');
  if (row === undefined) return;
  if (leastLost === 0) expect(row.lostCount).toBe(0);
  else expect(row.lostCount).toBeGreaterThan(0);
  row.status = 'SENDING';
  row.version += 1;
  expect(taken.version).toBe(row.version);
  held.push({ messageId: taken.messageId, claim: taken });
  model.claims += 1;
}

const settleOne = (which: number, outcome: Outcome): Command =>
  command(
    `settle claim ${String(which)} ${outcome.kind}`,
    (model) => model.claims > 0,
    async (model, { world, held }) => {
      const chosen = held[which % held.length];
      if (chosen === undefined) return;
      const settlement = decide(outcome, chosen.claim);
      const [verdict] = await settle(world.db, DEFAULT_RETRY_POLICY, [{ claim: chosen.claim, settlement }]);
      const row = model.rows.get(chosen.messageId);
      if (row === undefined) return;
      const isHolder = row.status === 'SENDING' && row.version === chosen.claim.version;
      const counted = outcome.kind === 'refused' ? 1 : 0;
      const isOwnWrite =
        row.status === settlement.to &&
        row.version === chosen.claim.version + 1 &&
        row.retryCount === chosen.claim.retryCount + counted;
      expect(verdict).toBe(isHolder || isOwnWrite ? 'settled' : 'lease-lost');
      if (isHolder) Object.assign(row, after(row, outcome, settlement.to));
    },
  );

const after = (row: Row, outcome: Outcome, to: Row['status']): Row => ({
  status: to,
  version: row.version + 1,
  retryCount: row.retryCount + (outcome.kind === 'refused' ? 1 : 0),
  lostCount: outcome.kind === 'unknown' && outcome.suspect ? 1 : 0,
});

const sweep: Command = command(
  'leases end and are swept',
  () => true,
  async (model, { world }) => {
    await world.makeDue(`status = 'SENDING'`);
    await sweepProducerLeases(world.db);
    for (const row of model.rows.values()) {
      if (row.status !== 'SENDING') continue;
      row.lostCount += 1;
      row.version += 1;
      row.status = row.lostCount >= LOST_LIMIT ? 'FAILED' : 'PENDING';
    }
  },
);

const timePasses: Command = command(
  'pauses end',
  () => true,
  async (_, { world }) => world.makeDue(`status = 'PENDING'`),
);

type Deed = 'retry' | 'replay' | 'give-up';
const DEEDS = {
  retry: { from: 'FAILED', to: 'PENDING', act: retryMessage },
  replay: { from: 'SENT', to: 'PENDING', act: replayMessage },
  'give-up': { from: 'PENDING', to: 'FAILED', act: giveUpMessage },
} as const;

const person = (deed: Deed, index: number): Command =>
  command(
    `${deed} ${messageIdOf(index)}`,
    () => true,
    async (model, { world }) => {
      const { from, to, act } = DEEDS[deed];
      const row = model.rows.get(messageIdOf(index));
      const result = await act(world.db, messageIdOf(index), ANN, 3_600_000);
      if (row?.status !== from) {
        expect(result).toBe(row === undefined ? 'not-found' : 'state-moved');
        return;
      }
      expect(result).toBe('done');
      const counts = deed === 'give-up' ? {} : { retryCount: 0, lostCount: 0 };
      Object.assign(row, { status: to, version: row.version + 1, ...counts });
    },
  );

const outcomes = fc.constantFrom<Outcome>(
  { kind: 'confirmed' },
  refused('nack'),
  refusedForGood('too large'),
  unknown('silence'),
  suspect('404'),
);
const commands = fc.commands(
  [
    fc.boolean().map(accept),
    fc.nat(HOUSE_COUNT - 1).map(claim),
    fc.nat(HOUSE_COUNT - 1).map(claim),
    fc.tuple(fc.nat(20), outcomes).map(([which, outcome]) => settleOne(which, outcome)),
    fc.constant(sweep),
    fc.constant(timePasses),
    fc
      .tuple(fc.constantFrom<Deed>('retry', 'replay', 'give-up'), fc.nat(5))
      .map(([deed, index]) => person(deed, index)),
  ],
  { maxCommands: 60, size: '+1' },
);

it('when any commands come in any order, stale and repeated ones too, then every row is what the states allow', async () => {
  const world = await TableWorld.open();
  try {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        await changeRows(world.db.knex, 'DELETE FROM producer_message');
        await fc.asyncModelRun(() => ({ model: { rows: new Map(), claims: 0 }, real: { world, held: [] } }), list);
      }),
      modelParameters(),
    );
  } finally {
    await world[Symbol.asyncDispose]();
  }
}, 240_000);
