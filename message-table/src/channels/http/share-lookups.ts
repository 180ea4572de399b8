import type { Lookup, ResolvedAddress } from './vetted-addresses.js';

/** One that takes longer is not waited for by whoever comes then: it may never end. */
const SHARED_FOR_MS = 30_000;

interface UnderWay {
  readonly found: Promise<readonly ResolvedAddress[]>;
  readonly startedMs: number;
}

/**
 * Attempts to one host share the look-up that is under way when they begin. The system resolves names in a few threads and
 * gives none of them up: a name server that is silent about one host would fill them with the attempts of one batch, and
 * every other host, the database and the broker would wait for their names behind them.
 *
 * Nothing is kept: an attempt that begins after the answer asks again.
 */
export function shareLookups(lookup: Lookup, monotonicMs: () => number = () => performance.now()): Lookup {
  const underWay = new Map<string, UnderWay>();
  return (hostname) => {
    const nowMs = monotonicMs();
    const earlier = underWay.get(hostname);
    if (earlier !== undefined && nowMs - earlier.startedMs < SHARED_FOR_MS) return earlier.found;
    const found = lookup(hostname);
    const mine = { found, startedMs: nowMs };
    underWay.set(hostname, mine);
    const forget = (): void => {
      if (underWay.get(hostname) === mine) underWay.delete(hostname);
    };
    found.then(forget, forget);
    return found;
  };
}
