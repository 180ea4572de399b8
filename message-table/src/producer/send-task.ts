import { setTimeout as sleep } from 'node:timers/promises';

import type { Channels } from '../channels/channel-map.js';
import type { Database } from '../database/database.js';
import { snowflakeTimeMs } from '../maintenance/snowflake.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';
import { createTokenBucket, type TokenBucket } from '../service/token-bucket.js';
import {
  claimBatch,
  claimSuspect,
  type ClaimOptions,
  type DueRow,
  type Obstacle,
  type Suspect,
} from './store/claim.js';
import type { Destinations } from './destinations.js';
import type { Claim } from './producer-message.js';
import { routeOf } from './route.js';
import { housesDue, readContents, type StoredContent } from './store/read.js';
import type { ClaimedMessage, Sender } from './sender.js';

export interface SendTaskOptions {
  readonly db: Database;
  readonly sender: Sender;
  readonly channels: Channels;
  readonly destinations: Destinations;
  readonly claimedBy: string;
  /** Messages per second, 0 for no limit. */
  readonly rate: number;
  /** Rows claimed together at most; also how many may be in flight. */
  readonly batch: number;
  /** Rest after a pass that found nothing, ms. */
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly attemptTimeoutMs: number;
  readonly byteBudget: number;
}

const SUSPECTS_PER_PASS = 20;
/** Rows of a channel that is down or not there, while another one works, are put off this long. */
const CHANNEL_DOWN_PARK_MS = 10_000;

/**
 * The relay's work: takes due rows, a batch at a time, and sends them at no more than `rate`.
 *
 * A pass claims, reads contents and hands over; outcomes are settled while the next pass already claims, so that
 * one message that gets no answer holds up nobody.
 */
export function createSendTask(options: SendTaskOptions): Loop {
  const pass = new SendPass(options);
  return createLoop({
    name: 'send-task',
    events: options.db.events,
    periodMs: options.pollMs,
    step: (signal) => pass.run(signal),
    onStopped: () => options.sender.whenIdle(),
  });
}

class SendPass {
  private readonly bucket: TokenBucket;

  constructor(private readonly options: SendTaskOptions) {
    this.bucket = createTokenBucket(options.rate);
  }

  async run(signal: AbortSignal): Promise<number> {
    const { pollMs, batch, sender } = this.options;
    if (![...this.options.channels.values()].some((channel) => channel.isUp())) return jittered(pollMs);
    if (sender.inFlight >= batch) return 5;
    const wait = this.bucket.waitMs(batch);
    if (wait > 0) await sleep(wait, undefined, { signal });
    const tokens = this.bucket.take(batch - sender.inFlight);
    const { sent, suspects } = await this.claimAndSend(tokens);
    this.bucket.putBack(tokens - sent);
    await this.sendSuspects(suspects, signal);
    return sent + suspects.length > 0 ? 0 : jittered(pollMs);
  }

  /** Begins at another house each time, so that relays spread without talking to one another. */
  private async claimAndSend(tokens: number): Promise<{ sent: number; suspects: Suspect[] }> {
    const suspects: Suspect[] = [];
    let sent = 0;
    for (const house of rotate(await housesDue(this.options.db.knex, 'PENDING'))) {
      if (sent >= tokens) break;
      if (this.options.destinations.isHousePaused(house)) continue;
      sent += await this.sendFrom(house, tokens - sent, suspects);
    }
    return { sent, suspects };
  }

  private async sendFrom(house: number, limit: number, suspects: Suspect[]): Promise<number> {
    const startedMs = performance.now();
    const claimed = await claimBatch(this.options.db, house, this.claimOptions(limit));
    suspects.push(...claimed.suspects);
    this.options.db.events.emit('claimed', {
      count: claimed.claims.length,
      suspects: claimed.suspects.length,
      tookMs: performance.now() - startedMs,
    });
    if (claimed.parked > 0)
      this.options.db.events.emit('parked', { count: claimed.parked, reason: 'not to be sent now' });
    for (const message of await this.withContents(claimed.claims)) void this.options.sender.dispatch(message);
    return claimed.claims.length;
  }

  /** One at a time with nothing else in flight, so that whatever breaks points at one message. */
  private async sendSuspects(suspects: readonly Suspect[], signal: AbortSignal): Promise<void> {
    for (const suspect of suspects.slice(0, SUSPECTS_PER_PASS)) {
      if (signal.aborted) return;
      await this.options.sender.whenIdle();
      const claim = await claimSuspect(this.options.db, suspect, this.claimOptions(1));
      if (claim === null) continue;
      this.bucket.take(1);
      for (const message of await this.withContents([claim])) await this.options.sender.dispatch(message, 'alone');
    }
  }

  private claimOptions(limit: number): ClaimOptions {
    return {
      limit,
      leaseMs: this.options.leaseMs,
      claimedBy: this.options.claimedBy,
      byteBudget: this.options.byteBudget,
      obstacle: (row) => this.obstacle(row),
      suspectsKept: SUSPECTS_PER_PASS,
    };
  }

  /** A channel that this process does not have is no fault of the message: another relay may have it, or the next start. */
  private obstacle(row: DueRow): Obstacle | null {
    const { channels, destinations } = this.options;
    return channels.get(row.channel)?.isUp() === true
      ? destinations.obstacle(routeOf(channels, row.channel, row))
      : { parkedFor: row.channel, ms: CHANNEL_DOWN_PARK_MS };
  }

  /** When the contents cannot be read, nothing was sent: the claims go back at once. */
  private async withContents(claims: readonly Claim[]): Promise<ClaimedMessage[]> {
    if (claims.length === 0) return [];
    try {
      const stored = await readContents(
        this.options.db.knex,
        claims.map(({ id }) => id),
      );
      const byId = new Map(stored.map((content) => [content.id, content]));
      return claims.flatMap((claim) => toMessage(claim, byId.get(claim.id)));
    } catch (error) {
      await Promise.all(claims.map((claim) => this.options.sender.giveBack(claim, 'its content could not be read')));
      throw error;
    }
  }
}

function toMessage(claim: Claim, stored: StoredContent | undefined): ClaimedMessage[] {
  if (stored === undefined) return []; // archived or removed by a person between claim and read
  const headers = stored.headers === null ? {} : (JSON.parse(stored.headers) as Record<string, string>);
  const { id, version, messageId } = claim;
  return [
    {
      claim,
      channel: stored.channel,
      outgoing: { ...stored, id, version, messageId, headers, createdMs: snowflakeTimeMs(id) },
    },
  ];
}

function rotate(houses: readonly number[]): number[] {
  const start = Math.floor(Math.random() * houses.length);
  return [...houses.slice(start), ...houses.slice(0, start)];
}
