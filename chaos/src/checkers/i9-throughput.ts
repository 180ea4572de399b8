import type { Invariant, RunFacts, Sample } from '../facts.js';
import type { FaultKind } from '../plan.js';
import { faultWindows, overlaps } from './fault-windows.js';
import { told } from './finding.js';
import { FOREIGN_CORES, foreignCores } from './foreign-cores.js';
import { setting } from './settings.js';
import { calmStretches, isRelay, relaysAlone, senders, sentDuring, type Stretch } from './stretches.js';

/** Over a longer time 5 % of what it should be, over a short one a batch more or less. */
const ENOUGH = { long: 0.95, short: 0.9 };
const TOO_MUCH = { long: 1.05, short: 1.1 };
const LONG_SECONDS = 5;

const lengthOf = ({ seconds }: Stretch): 'long' | 'short' => (seconds >= LONG_SECONDS ? 'long' : 'short');

/** n relays carry what n relays should, a backlog grows and falls accordingly, and no relay ever stops another. */
export const throughput = (facts: RunFacts): Invariant => {
  const found = measured(facts);
  // Slow beside somebody else's work says nothing of us.
  const isOthersFault = found.holds === false && (foreignCores(facts) ?? 0) > FOREIGN_CORES;
  return isOthersFault ? { ...found, holds: null } : found;
};

const measured = (facts: RunFacts): Invariant =>
  told({ id: 'I9', needs: [] }, facts, () => {
    const stretches = calmStretches(facts);
    if (stretches.length === 0) return 'no stretch of the load was calm for long enough to measure';
    if (isAboutABacklog(facts) && !stretches.some((one) => mustGrow(one, facts)))
      return 'in no calm stretch was there more to send than the relays may';
    const told = stretches.map((stretch) => paceText(stretch, facts));
    return {
      detail: told.join(', '),
      anomalies: [...stretches.flatMap((stretch) => wrongPace(stretch, facts)), ...stoppedBystanders(facts)],
    };
  });

const rate = ({ samples, seconds }: Stretch, facts: RunFacts): number => sentDuring(samples, senders(facts)) / seconds;

function wrongPace(stretch: Stretch, facts: RunFacts): string[] {
  const carried = rate(stretch, facts);
  const limit = limitOf(stretch, facts);
  const wanted = Math.min(arrivals(stretch, facts), limit);
  const of = `${String(stretch.relays)} relays carried ${carried.toFixed(0)}/s`;
  return [
    ...(carried < ENOUGH[lengthOf(stretch)] * wanted ? [`${of}, less than ${wanted.toFixed(0)}/s`] : []),
    ...overLimit(stretch, facts),
    ...wrongBacklog(stretch, facts),
  ];
}

/** `3 relays 1490/s (relay-1 498, relay-2 497, relay-3 495 of 500/s, −0.4 % to −1.0 %)`. */
function paceText(stretch: Stretch, facts: RunFacts): string {
  const total = `${String(stretch.relays)} relays ${rate(stretch, facts).toFixed(0)}/s`;
  const each = setting(facts, 'RELAY_RATE');
  const rates = ratesOf(stretch);
  if (each === 0 || rates.length === 0) return total;
  const apart = rates.map(({ perSecond }) => 100 * (perSecond / each - 1));
  const range = [...new Set([Math.max(...apart), Math.min(...apart)].map(percent))].join(' to ');
  const names = rates.map(({ name, perSecond }) => `${name} ${perSecond.toFixed(0)}`);
  return `${total} (${names.join(', ')} of ${String(each)}/s, ${range})`;
}

const percent = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)} %`;

/** Of each relay that was up for the whole stretch. */
const ratesOf = ({ samples, seconds }: Stretch): { readonly name: string; readonly perSecond: number }[] =>
  Object.keys(samples[0]?.sentBy ?? {})
    .filter((name) => isRelay(name) && samples.at(-1)?.sentBy[name] !== undefined)
    .map((name) => ({ name, perSecond: sentDuring(samples, (one) => one === name) / seconds }));

/** The limit is each relay's own, whatever the others send. */
function overLimit(stretch: Stretch, facts: RunFacts): string[] {
  const each = setting(facts, 'RELAY_RATE');
  const most = each * TOO_MUCH[lengthOf(stretch)];
  return ratesOf(stretch)
    .filter(({ perSecond }) => each > 0 && perSecond > most)
    .map(({ name, perSecond }) => `${name} sent ${perSecond.toFixed(0)}/s, more than its limit of ${String(each)}/s`);
}

/** With the fast path off relays are all there is; else what they leave undone is done beside them. */
function limitOf({ relays }: Stretch, facts: RunFacts): number {
  const each = setting(facts, 'RELAY_RATE');
  return relaysAlone(facts) && each > 0 ? each * relays : Infinity;
}

/** Orders acknowledged a second while it lasted: a load that was refused does not have to be carried. */
function arrivals({ samples, seconds }: Stretch, { history, plan }: RunFacts): number {
  const [fromMs, toMs] = [samples[0]?.atMs ?? 0, samples.at(-1)?.atMs ?? 0];
  const ok = history.filter((r) => r.kind === 'order' && r.outcome === 'ok' && r.atMs > fromMs && r.atMs <= toMs);
  return Math.min(plan.load.rate, ok.length / seconds);
}

/** A limit within a tenth of the load may go either way. */
const EITHER_WAY = 0.1;

const spare = (stretch: Stretch, facts: RunFacts): number => limitOf(stretch, facts) - arrivals(stretch, facts);

const mustGrow = (stretch: Stretch, facts: RunFacts): boolean =>
  spare(stretch, facts) < -EITHER_WAY * limitOf(stretch, facts);

/** More relays are shown to help by what waited before they came. */
const isAboutABacklog = (facts: RunFacts): boolean =>
  relaysAlone(facts) && facts.plan.faults.some(({ fault }) => fault.kind === 'scale');

function wrongBacklog(stretch: Stretch, facts: RunFacts): string[] {
  const limit = limitOf(stretch, facts);
  const seen = stretch.samples.flatMap(({ backlog }) => backlog ?? []);
  const [first, last] = [seen[0], seen.at(-1)];
  if (limit === Infinity || first === undefined || last === undefined) return [];
  const few = limit / 2;
  if (mustGrow(stretch, facts) && last <= first)
    return [`the backlog should have grown and went from ${String(first)} to ${String(last)}`];
  if (spare(stretch, facts) > EITHER_WAY * limit && first > few && last >= first)
    return [`the backlog should have fallen and went from ${String(first)} to ${String(last)}`];
  return [];
}

/** How long after a relay came or went the others are watched. */
const WATCHED_MS = 3_000;
const RELAYS_COME_OR_GO: readonly string[] = ['kill', 'crash-at', 'stop', 'pause', 'scale'] satisfies FaultKind[];

function stoppedBystanders({ history, samples }: RunFacts): string[] {
  const windows = faultWindows(history);
  return windows.flatMap((window) => {
    const { id, fault, fromMs } = window;
    const isRelays = 'target' in fault && fault.target.startsWith('relay') && RELAYS_COME_OR_GO.includes(fault.kind);
    // Beside another fault nobody can say which of the two stopped a relay.
    if (
      !isRelays ||
      windows.some((another) => another.id !== id && overlaps(another, fromMs - WATCHED_MS, fromMs + WATCHED_MS))
    )
      return [];
    const during = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= fromMs + WATCHED_MS);
    const hadWork = during.length >= 4 && during.every(({ backlog }) => backlog !== null && backlog > 0);
    return hadWork
      ? silentRelays(during, fault.target).map((name) => `${name} sent nothing when ${id} (${fault.kind}) began`)
      : [];
  });
}

/** Those that were up all the time and are not the ones concerned. */
const silentRelays = (during: readonly Sample[], concerned: string): string[] =>
  Object.keys(during[0]?.sentBy ?? {})
    .filter((name) => isRelay(name) && name !== concerned && during.every(({ sentBy }) => name in sentBy))
    .filter((name) => sentDuring(during, (one) => one === name) === 0);
