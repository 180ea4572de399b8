import { setTimeout as sleep } from 'node:timers/promises';

import type { Channels } from '../channels/channel-map.js';
import type { Database } from '../database/database.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import type { TokenBucket } from '../service/token-bucket.js';
import { claimBatch, claimSuspect, type ClaimOptions } from './store/claim.js';
import type { Destinations } from './destinations.js';
import { giveUpUnreadable } from './give-up-unreadable.js';
import { NOTHING, type Pace } from './groups/pace.js';
import type { TaskGroup } from './groups/task-group.js';
import { InFlight } from './in-flight.js';
import { loadMessages } from './load-messages.js';
import { houseOf, type Claim } from './producer-message.js';
import { routeOf } from './route.js';
import { housesDue } from './store/read.js';
import type { DueRow, Obstacle, Suspect } from './store/sort-rows.js';
import type { ClaimedMessage, Sender } from './sender.js';
import type { Settler } from './settler.js';
import type { LoneTurns } from './lone-turns.js';

export interface SendTaskOptions {
  readonly db: Database;
  /** Shared by the groups of a process, like {@link turns}. */
  readonly sender: Sender;
  /** Where {@link sender} settles. */
  readonly settler: Settler;
  readonly turns: LoneTurns;
  readonly channels: Channels;
  readonly destinations: Destinations;
  readonly claimedBy: string;
  readonly loopName: string;
  readonly group: TaskGroup;
  readonly pace: Pace;
  readonly bucket: TokenBucket;
  /** Rows claimed together at most; also how many of the group may be in flight. */
  readonly batch: number;
  /** Rest after a pass that found nothing, ms. */
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly attemptTimeoutMs: number;
  /** Content bytes of the group in flight at most, but for one message, which goes whatever its size. */
  readonly byteBudget: number;
}

const SUSPECTS_PER_PASS = 20;
/** After this no other suspect of a pass is begun: each may take a whole attempt, and nothing else is sent meanwhile. */
const LONGEST_ALONE_MS = 2_000;
/** Until the pauses have been read for the first time. */
const PAUSES_UNKNOWN_REST_MS = 20;

/**
 * The relay's work for one group: takes due rows of its houses, a batch at a time, at its pace and rate, and sends them.
 *
 * A pass claims, reads contents and hands over; outcomes are settled while the next pass already claims, so that
 * one message that gets no answer holds up nobody.
 */
export function createSendTask(options: SendTaskOptions): Loop {
  const pass = new SendPass(options);
  return createLoop({
    name: options.loopName,
    events: options.db.events,
    // A suspect waits for what is on its way before it goes.
    periodMs: options.pollMs + options.attemptTimeoutMs,
    step: (signal) => pass.run(signal),
    onStopped: () => options.sender.whenIdle(),
  });
}

class SendPass {
  private readonly inFlight: InFlight;
  /** Rows that were put off took all places of a claim in the last pass. */
  private crowded = false;

  constructor(private readonly options: SendTaskOptions) {
    this.inFlight = new InFlight(options);
  }

  async run(signal: AbortSignal): Promise<number> {
    const { pace, destinations, group, channels, pollMs } = this.options;
    if (!destinations.arePausesKnown) return PAUSES_UNKNOWN_REST_MS;
    if (destinations.isGroupPaused(group.groupId)) return pace.skip();
    const left = pace.left();
    if (left === 0) return pace.rest({ ...NOTHING, inFlight: this.inFlight.count });
    if (![...channels.values()].some((channel) => channel.isUp())) return jittered(pollMs);
    if (!this.inFlight.hasRoom()) return 5;
    return this.takeUpTo(left, signal);
  }

  private async takeUpTo(left: number, signal: AbortSignal): Promise<number> {
    const { bucket, batch, pace } = this.options;
    const wanted = Math.min(left, batch);
    let restMs: number;
    const wait = bucket.waitMs(wanted);
    if (wait > 0) await sleep(wait, undefined, { signal });
    const tokens = bucket.take(Math.min(left, batch - this.inFlight.count));
    // Another group of this process was quicker.
    if (tokens === 0) return Math.max(1, bucket.waitMs(wanted));
    const all: Found = { sent: 0, alone: 0, found: 0, crowded: false, suspects: [] };
    try {
      await this.claimAndSend(tokens, all, signal);
      await this.sendSuspects(all, signal);
    } catch (error) {
      all.found += 1; // nobody knows what is due: a firing is not over by that
      throw error;
    } finally {
      bucket.putBack(tokens - all.sent);
      this.crowded = all.crowded;
      restMs = pace.rest({ ...all, taken: all.sent + all.alone, inFlight: this.inFlight.count });
    }
    return restMs;
  }

  /** Begins at another house each time, so that relays spread without talking to one another. */
  private async claimAndSend(tokens: number, all: Found, signal: AbortSignal): Promise<void> {
    const { db, group, turns } = this.options;
    let houses: Houses = rotate(await housesDue(db.knex, 'PENDING', group.houseNumbers));
    for (;;) {
      houses = houses.filter((house) => this.mayTake(house, signal));
      // A suspect that was met takes a place as well, or a full batch would always go before it.
      const places = tokens - all.sent - Math.min(all.suspects.length, SUSPECTS_PER_PASS);
      if (houses.length === 0 || places <= 0 || !this.inFlight.hasRoom()) return;
      houses = await turns.together(() => this.sendFrom(houses, places, all, signal));
    }
  }

  /** @returns the houses that its claim did not come to */
  private async sendFrom(houses: Houses, limit: number, all: Found, signal: AbortSignal): Promise<Houses> {
    const { db, group } = this.options;
    const startedMs = performance.now();
    const suspectsMet = new Set(all.suspects.map(({ id }) => id));
    const { claims, suspects, parked, unseen } = await claimBatch(db, houses, {
      ...this.claimOptions(limit),
      suspectsMet,
    });
    const tookMs = performance.now() - startedMs;
    all.found += claims.length + suspects.length + parked;
    all.crowded ||= parked >= limit;
    all.suspects.push(...suspects);
    db.events.emit('claimed', { group: group.groupId, count: claims.length, suspects: suspects.length, tookMs });
    if (parked > 0) db.events.emit('parked', { count: parked, reason: 'not to be sent now' });
    const unsent: Claim[] = [];
    for (const message of await this.withContents(claims)) {
      if (this.mayTake(houseOf(message.claim.messageId), signal)) {
        void this.dispatch(message, 'together');
        all.sent += 1;
      } else unsent.push(message.claim);
    }
    await this.giveBack(unsent, 'stopped or paused before it was sent');
    return unseen;
  }

  /** One at a time with nothing else of the process in flight, so that whatever breaks points at one message. */
  private async sendSuspects(all: Found, signal: AbortSignal): Promise<void> {
    const { bucket, turns } = this.options;
    const endsMs = performance.now() + LONGEST_ALONE_MS;
    for (const suspect of all.suspects.slice(0, SUSPECTS_PER_PASS)) {
      if (performance.now() > endsMs) break;
      // The ones before it may have shown that nothing answers there.
      if (!this.isFreeYet(suspect)) continue;
      while (bucket.take(1) === 0) await sleep(Math.max(1, bucket.waitMs(1)), undefined, { signal });
      const isSent = await turns.alone(() => this.sendSuspect(suspect, signal));
      if (isSent) all.alone += 1;
      else bucket.putBack(1);
    }
  }

  private async sendSuspect(suspect: Suspect, signal: AbortSignal): Promise<boolean> {
    const { sender, db } = this.options;
    await sender.whenIdle();
    if (!this.mayTake(houseOf(suspect.messageId), signal)) return false;
    const claim = await claimSuspect(db, suspect, this.claimOptions(1));
    if (claim === null) return false;
    for (const message of await this.withContents([claim])) await this.dispatch(message, 'alone');
    return true;
  }

  private mayTake(house: number, signal: AbortSignal): boolean {
    const { destinations, group } = this.options;
    return !signal.aborted && !destinations.isGroupPaused(group.groupId) && !destinations.isHousePaused(house);
  }

  private async dispatch(message: ClaimedMessage, how: 'together' | 'alone'): Promise<void> {
    const { sender, db, group } = this.options;
    const ending = await this.inFlight.during(message, sender.dispatch(message, how));
    if (ending === 'SENT') db.events.emit('groupSent', { group: group.groupId, count: 1 });
  }

  private claimOptions(limit: number): ClaimOptions {
    return {
      limit,
      // The tokens bound what is sent; putting rows off needs none, and by tokens it would take for ever.
      look: this.crowded ? this.options.batch : limit,
      leaseMs: this.options.leaseMs,
      claimedBy: this.options.claimedBy,
      byteBudget: this.inFlight.bytesLeft(),
      obstacle: (row) => this.obstacle(row),
      suspectsKept: SUSPECTS_PER_PASS,
    };
  }

  /** A channel that this process does not have is no fault of the message: another relay may have it, or the next start. */
  private obstacle(row: DueRow): Obstacle | null {
    const { channels, destinations } = this.options;
    return channels.get(row.channel)?.isUp() === true
      ? destinations.obstacle(routeOf(channels, row.channel, row))
      : destinations.untilBroughtForward(row.channel);
  }

  private isFreeYet({ channel, ...row }: Suspect): boolean {
    const { channels, destinations } = this.options;
    return channels.get(channel)?.isUp() === true && destinations.isFreeYet(routeOf(channels, channel, row));
  }

  /** When the contents cannot be read, nothing was sent: the claims go back at once. */
  private async withContents(claims: readonly Claim[]): Promise<readonly ClaimedMessage[]> {
    const { db, settler } = this.options;
    try {
      const { messages, unreadable } = await loadMessages(db.knex, claims);
      await giveUpUnreadable(unreadable, { settler, events: db.events });
      return messages;
    } catch (error) {
      await this.giveBack(claims, 'its content could not be read');
      throw error;
    }
  }

  private async giveBack(claims: readonly Claim[], reason: string): Promise<void> {
    await Promise.all(claims.map((claim) => this.options.sender.giveBack(claim, reason)));
  }
}

interface Found {
  /** Handed over. */
  sent: number;
  /** Suspects that were sent. */
  alone: number;
  /** Rows met, whatever became of them. */
  found: number;
  crowded: boolean;
  readonly suspects: Suspect[];
}

type Houses = readonly number[];

function rotate(houses: Houses): Houses {
  const start = Math.floor(Math.random() * houses.length);
  return [...houses.slice(start), ...houses.slice(0, start)];
}
