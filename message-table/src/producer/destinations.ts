import { pauseOf, type Outcome } from '../channels/outcome.js';
import { DEFAULT_OPTIONS } from '../default-options.js';
import { jittered } from '../service/loop.js';
import { ParkedCrowd } from './parked-crowd.js';
import type { Route } from './route.js';
import type { Obstacle } from './store/sort-rows.js';
import type { Pause } from './store/pauses.js';

export interface BreakerOptions {
  /** So many attempts in a row without an answer open the breaker. More: a silent destination fills the window longer. */
  readonly openAfter: number;
  /** The first pause, ± 20 %; doubles until the destination takes a message. Longer: one that is back soon is found late. */
  readonly firstPauseMs: number;
  /** Longer: one that is back after a long outage is found later. */
  readonly longestPauseMs: number;
}

const SHORTEST_PARK_MS = 100;
/** When the one that was let through has not been heard of for so long, another one is. */
const PROBE_LOST_MS = 10_000;

/** Closed: attempts go out. Open: nothing does. Probing: one message is on its way to find out. */
type Breaker =
  | { readonly state: 'closed'; readonly silentInARow: number; readonly nextPauseMs: number }
  | { readonly state: 'open' | 'probing'; readonly pauseMs: number; readonly untilMs: number };

/**
 * Which destinations are not to be sent to now: by a person's pause, or because nothing answers there.
 *
 * One silent destination would otherwise fill the window of messages in flight, and every other one would wait
 * behind its time-outs.
 */
export class Destinations {
  private readonly breakers = new Map<string, Breaker>();
  private readonly crowd: ParkedCrowd;
  private pauses: readonly Pause[] = [];
  private looked = false;
  private readonly options: BreakerOptions;

  constructor(
    options: Partial<BreakerOptions> = {},
    private readonly monotonicMs: () => number = () => performance.now(),
    private readonly jitter: (ms: number) => number = jittered,
  ) {
    this.options = { ...DEFAULT_OPTIONS.breaker, ...options };
    this.crowd = new ParkedCrowd(monotonicMs);
  }

  /** What keeps a message for this route from being sent now. When an open breaker's pause is over, one is let through. */
  obstacle(route: Route): Obstacle | null {
    const { destination } = route;
    const pause = this.pauseOn(route);
    // For what was paused: when the pause of a whole channel ends, all of its rows come forward.
    if (pause !== undefined) return this.untilBroughtForward(pause.target);
    const breaker = this.breakers.get(destination);
    if (breaker === undefined || breaker.state === 'closed') return null;
    const leftMs = breaker.untilMs - this.monotonicMs();
    if (leftMs > 0) return { parkedFor: destination, ms: Math.max(leftMs, SHORTEST_PARK_MS) };
    this.breakers.set(destination, {
      state: 'probing',
      pauseMs: breaker.pauseMs,
      untilMs: this.monotonicMs() + PROBE_LOST_MS,
    });
    return null;
  }

  /** For a whole channel that is down, or a person's pause. */
  untilBroughtForward(parkedFor: string): Obstacle {
    return { parkedFor, ms: this.crowd.nextMs() };
  }

  /** As no {@link obstacle}, for a message that met none a while ago: what it was let through to find out is its own. */
  isFreeYet(route: Route): boolean {
    const isProbe = this.breakers.get(route.destination)?.state === 'probing' && this.pauseOn(route) === undefined;
    return isProbe || this.obstacle(route) === null;
  }

  /**
   * Learns from an attempt's outcome. Only while the channel is up: an outage of all of it says nothing about one
   * destination, and neither does what was not sent.
   *
   * A no closes the breaker as a success does, but only a success makes the next pause a first one again: what is
   * half back would otherwise bring all its rows forward and put them off again every few seconds.
   *
   * @returns true when this closed a breaker: what was parked for the destination may come forward
   */
  report({ destination }: Route, outcome: Outcome): boolean {
    const breaker = this.breakers.get(destination) ?? this.closed(this.options.firstPauseMs);
    if (outcome.kind === 'unknown') {
      if (outcome.unsent !== undefined) return false;
      this.breakers.set(destination, this.afterSilence(breaker, pauseOf(outcome)));
      return false;
    }
    const nextPauseMs = outcome.kind === 'confirmed' ? 0 : this.nextPauseMs(breaker);
    if (nextPauseMs > this.options.firstPauseMs) this.breakers.set(destination, this.closed(nextPauseMs));
    else this.breakers.delete(destination);
    return breaker.state !== 'closed';
  }

  private closed(nextPauseMs: number): Breaker {
    return { state: 'closed', silentInARow: 0, nextPauseMs };
  }

  private nextPauseMs(breaker: Breaker): number {
    return breaker.state === 'closed'
      ? breaker.nextPauseMs
      : Math.min(breaker.pauseMs * 2, this.options.longestPauseMs);
  }

  /** A destination that asks for a rest has it at once; `askedMs` is 0 for one that says nothing. */
  private afterSilence(breaker: Breaker, askedMs: number): Breaker {
    switch (breaker.state) {
      case 'closed': {
        const silentInARow = breaker.silentInARow + 1;
        if (silentInARow < this.options.openAfter && askedMs === 0) return { ...breaker, silentInARow };
        return this.opened(breaker.nextPauseMs, askedMs);
      }
      case 'open': // an attempt that was under way when it opened
        return { ...breaker, untilMs: Math.max(breaker.untilMs, this.monotonicMs() + askedMs) };
      case 'probing':
        return this.opened(this.nextPauseMs(breaker), askedMs);
    }
  }

  private opened(ownMs: number, askedMs: number): Breaker {
    const untilMs = this.monotonicMs() + Math.max(this.jitter(ownMs), askedMs);
    return { state: 'open', pauseMs: Math.max(ownMs, askedMs), untilMs };
  }

  /** @returns the pauses that a person has ended since the last call */
  setPauses(pauses: readonly Pause[]): Pause[] {
    const now = new Set(pauses.map(({ scope, target }) => `${scope} ${target}`));
    const ended = this.pauses.filter(({ scope, target }) => !now.has(`${scope} ${target}`));
    this.pauses = pauses;
    this.looked = true;
    return ended;
  }

  /** False until the first {@link setPauses}: a process that has just started does not know yet what it must not send. */
  get arePausesKnown(): boolean {
    return this.looked;
  }

  get pausesInForce(): readonly Pause[] {
    return this.pauses;
  }

  isGroupPaused(groupId: string): boolean {
    return this.pauses.some(({ scope, target }) => scope === 'group' && target === groupId);
  }

  isHousePaused(house: number): boolean {
    return this.pauses.some(({ scope, target }) => scope === 'house' && target === String(house));
  }

  private pauseOn({ channel, destination }: Route): Pause | undefined {
    return this.pauses.find(
      ({ scope, target }) =>
        (scope === 'destination' && target === destination) || (scope === 'channel' && target === channel),
    );
  }
}
