import type { Outgoing } from '../channels/channel.js';
import type { Channels } from '../channels/channel-map.js';
import { failureOf, isOutcome, unknown, type Outcome } from '../channels/outcome.js';
import { reasonOf } from '../errors.js';
import type { MessageTableEvents } from '../observe/events.js';
import { traceSend } from '../observe/trace-send.js';
import { decide } from './decide.js';
import type { Destinations } from './destinations.js';
import type { Claim, Settlement } from './producer-message.js';
import { routeOf } from './route.js';
import type { Settler } from './settler.js';

/** A claimed message with everything that is needed to send it. */
export interface ClaimedMessage {
  readonly claim: Claim;
  readonly channel: string;
  readonly outgoing: Outgoing;
}

export interface SenderOptions {
  readonly channels: Channels;
  readonly settler: Settler;
  readonly events: MessageTableEvents;
  readonly destinations: Destinations;
  /** A destination answers again: what was parked for it may come forward. */
  readonly onDestinationFree?: (destination: string) => void;
  /** Less than this left of the lease: the message is not sent but given back, ms. */
  readonly attemptTimeoutMs: number;
}

/** Sends claimed messages and settles each with its outcome. Shared by the fast path and the relay. */
export class Sender {
  private inFlightCount = 0;
  private readonly idleListeners: (() => void)[] = [];

  constructor(private readonly options: SenderOptions) {}

  /** Never rejects. Resolves when the row is settled, whatever the outcome, to where it went. */
  async dispatch(
    message: ClaimedMessage,
    how: 'together' | 'alone' = 'together',
  ): Promise<Settlement['to'] | 'lease-lost'> {
    this.inFlightCount += 1;
    try {
      const settlement = await this.attempt(message, how);
      const settled = await this.options.settler.settle({ claim: message.claim, settlement });
      return settled === 'settled' ? settlement.to : settled;
    } finally {
      this.inFlightCount -= 1;
      if (this.inFlightCount === 0) for (const listener of this.idleListeners.splice(0)) listener();
    }
  }

  /** Settles without sending: the claim is free for others at once. */
  async giveBack(claim: Claim, reason: string): Promise<void> {
    this.options.events.emit('givenBack', { count: 1, reason });
    await this.options.settler.settle({ claim, settlement: { to: 'PENDING', why: 'given-back' } });
  }

  whenIdle(): Promise<void> {
    if (this.inFlightCount === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleListeners.push(resolve));
  }

  private async attempt(message: ClaimedMessage, how: 'together' | 'alone'): Promise<Settlement> {
    const { claim, channel, outgoing } = message;
    if (claim.leaseEndsMs - performance.now() < this.options.attemptTimeoutMs) {
      this.options.events.emit('givenBack', { count: 1, reason: 'too little of the lease is left' });
      return { to: 'PENDING', why: 'given-back' };
    }
    const send = (): Promise<Outcome> => this.send(channel, outgoing, how);
    const startedMs = performance.now();
    const outcome = await traceSend(message, this.options.channels.get(channel), send);
    const tookMs = performance.now() - startedMs;
    this.learn(channel, outgoing, outcome);
    const settlement = decide(outcome, claim);
    this.tell(message, outcome, settlement, tookMs);
    return settlement;
  }

  private tell(message: ClaimedMessage, outcome: Outcome, settlement: Settlement, tookMs: number): void {
    const { claim, channel, outgoing } = message;
    const { messageId, taskName, headers } = outgoing;
    const { events } = this.options;
    const facts = { messageId, taskName, channel, attempt: claim.retryCount + 1, traceparent: headers['traceparent'] };
    if (outcome.kind === 'confirmed') events.emit('attemptConfirmed', { ...facts, tookMs });
    else if (settlement.to !== 'SENT') {
      const { to } = settlement;
      const isUnsent = outcome.kind === 'unknown' && outcome.unsent !== undefined;
      const failure = { kind: failureOf(outcome), reason: outcome.reason, to };
      events.emit('attemptFailed', { ...facts, ...failure, tookMs: isUnsent ? null : tookMs });
    }
  }

  private learn(channel: string, outgoing: Outgoing, outcome: Outcome): void {
    const { channels, destinations, onDestinationFree } = this.options;
    if (channels.get(channel)?.isUp() !== true) return;
    const route = routeOf(channels, channel, outgoing);
    if (destinations.report(route, outcome)) onDestinationFree?.(route.destination);
  }

  private async send(channelName: string, outgoing: Outgoing, how: 'together' | 'alone'): Promise<Outcome> {
    const channel = this.options.channels.get(channelName);
    if (channel === undefined) return unknown(`This process has no channel '${channelName}'`);
    try {
      const outcome = await (how === 'alone' ? channel.sendAlone(outgoing) : channel.send(outgoing));
      return isOutcome(outcome) ? outcome : unknown('The channel failed: what it answered is no outcome');
    } catch (error) {
      // The interface promises not to; a registered channel of somebody else may break it.
      return unknown(`The channel failed: ${reasonOf(error)}`);
    }
  }
}
