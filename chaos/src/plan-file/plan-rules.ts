import { STEPS } from '../fail-points/steps.js';
import type { Expected, Fault, FaultKind, GoesOn, LoadPlan, Plan, PlannedFault, WorldPlan } from '../plan.js';
import {
  ABOVE_0,
  byKind,
  listOf,
  NUMBER,
  objectOf,
  oneOf,
  tableOf,
  TEXT,
  WHOLE,
  YES_OR_NO,
  type RulesOf,
} from './rule.js';

const LOAD = objectOf({
  ...{ rate: ABOVE_0, warmUpSeconds: NUMBER, seconds: ABOVE_0, retries: WHOLE },
  workload: oneOf('powers', 'hot', 'sold-out'),
  quiet: objectOf({ fromMs: NUMBER, forMs: NUMBER }).optional(),
} satisfies RulesOf<LoadPlan>);

const WORLD = objectOf({
  ...{ orderServices: WHOLE, inventoryServices: WHOLE, relays: WHOLE, inventoryRelays: WHOLE },
  ...{ shards: listOf(TEXT).optional(), brokerNodes: WHOLE.optional() },
  ...{ settings: tableOf(TEXT), links: listOf(TEXT), tap: YES_OR_NO, onlyIn: oneOf('containers').optional() },
} satisfies RulesOf<WorldPlan>);

const STEP = oneOf(...STEPS);
const RELAY = oneOf('relay');
const RECORDER = oneOf('recorder');

const FAULTS: { readonly [Kind in FaultKind]: RulesOf<Omit<Extract<Fault, { kind: Kind }>, 'kind'>> } = {
  kill: { target: TEXT, backAfterMs: NUMBER },
  'kill-node': { target: TEXT, backAfterMs: NUMBER },
  disconnect: { target: TEXT, forMs: NUMBER },
  stop: { target: TEXT, backAfterMs: NUMBER },
  'crash-at': { target: TEXT, step: STEP, backAfterMs: NUMBER },
  pause: { target: TEXT, forMs: NUMBER },
  'halt-at': { target: TEXT, step: STEP, forMs: NUMBER, then: oneOf('go-on', 'die') },
  'killer-message': { target: RELAY, forMs: NUMBER },
  cut: {
    ...{ link: TEXT, how: oneOf('swallow', 'reset'), forMs: NUMBER },
    direction: oneOf('upstream', 'downstream', 'both'),
  },
  slow: { link: TEXT, latencyMs: NUMBER, jitterMs: NUMBER, kilobytesPerSecond: NUMBER.nullable(), forMs: NUMBER },
  slice: { link: TEXT, forMs: NUMBER },
  alarm: { forMs: NUMBER },
  unbind: { queue: TEXT, forMs: NUMBER },
  'queue-limit': { queue: TEXT, messages: WHOLE, forMs: NUMBER },
  'delete-queue': { queue: TEXT, onlyIfEmpty: YES_OR_NO },
  'old-partition': { forMs: NUMBER },
  poison: { bodies: WHOLE },
  deadlocks: { forMs: NUMBER },
  'missing-products': { forMs: NUMBER },
  'dead-letters': { rejected: WHOLE, copies: WHOLE },
  'pause-sending': { scope: oneOf('group', 'house'), name: TEXT, forMs: NUMBER },
  'http-answer': { target: RECORDER, status: WHOLE, forMs: NUMBER },
  'http-hold': { target: RECORDER, holdMs: NUMBER, forMs: NUMBER },
  scale: { target: RELAY, to: WHOLE },
};

const PLANNED_FAULT = objectOf({
  ...{ id: TEXT, atMs: NUMBER, after: TEXT.optional(), fault: byKind(FAULTS) },
} satisfies RulesOf<PlannedFault>);

const GOES_ON = objectOf({
  ...{ processes: listOf(TEXT), silenceMs: NUMBER.optional() },
  orders: objectOf({ first: WHOLE, every: ABOVE_0 }),
} satisfies RulesOf<GoesOn>);

const EXPECTED = objectOf({
  ...{ retriedByHand: YES_OR_NO.optional(), plannedLoss: YES_OR_NO },
  ...{ duplicatesAtMost: WHOLE.nullable(), goesOn: GOES_ON.optional() },
} satisfies RulesOf<Expected>);

/** What a plan has to be so that it can be carried out, field by field. */
export const PLAN = objectOf({
  ...{
    scenario: TEXT,
    seed: WHOLE,
    sabotage: TEXT.nullable(),
    load: LOAD,
    world: WORLD,
    faults: listOf(PLANNED_FAULT),
  },
  ...{ requiredCells: listOf(TEXT), notJudged: tableOf(TEXT), expected: EXPECTED },
} satisfies RulesOf<Plan>);
