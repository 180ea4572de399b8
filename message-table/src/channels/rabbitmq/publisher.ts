import { DEFAULT_OPTIONS } from '../../default-options.js';
import type { Channel, Outgoing } from '../channel.js';
import { unknown, type Outcome } from '../outcome.js';
import { closeReason, type CloseReason } from './close-reason.js';
import { outcomeAlone, outcomeInCompany } from './close-outcome.js';
import { RabbitConnection, type RabbitConnectionOptions } from './connection.js';
import { checkRabbitConfig, rabbitDestination } from './config.js';
import { Lane, type LaneHooks } from './lane.js';
import type { Link } from './link.js';
import { LoneLanes } from './lone-lanes.js';
import { Answers } from './pending.js';
import { probeMessage, Prober } from './probe.js';
import { Publication } from './publication.js';
import { UpState } from './up-state.js';
import { WaitingLine } from './waiting-line.js';

/** Chunks that amqplib may hold; a large body is cut into chunks of 128 KiB, so this is at most 32 MiB. */
const CHUNKS_HELD = 256;
/** How many times per attempt's time-out the oldest in flight are looked at: no timer per message. */
const CHECKS_PER_TIMEOUT = 10;

export interface RabbitChannelOptions extends Omit<RabbitConnectionOptions, 'deadlineMs' | 'heartbeatS'> {
  /** How long one attempt waits for the broker's confirm. Longer: a silent broker holds places longer. */
  readonly attemptTimeoutMs?: number;
  /** For connecting and for every other answer of the broker. Shorter: a slow broker is left for nothing. */
  readonly deadlineMs?: number;
  /** Shorter finds a dead broker sooner, and costs packets. */
  readonly heartbeatS?: number;
}

export interface RabbitChannel extends Channel {
  /** Returns at once; the broker may come later. */
  start(): void;
  /** Bounded, whatever the broker does. What is in flight ends unknown, so drain first. */
  stop(): Promise<void>;
  /** Why it is not up; null while it is. */
  downReason(): string | null;
  /** Messages without an outcome, those that wait for room included. */
  inFlight(): number;
}

/** @throws Error when `urls` cannot be read. */
export function createRabbitChannel(options: RabbitChannelOptions): RabbitChannel {
  return new RabbitPublisher({ ...DEFAULT_OPTIONS.rabbitChannel, ...options });
}

class RabbitPublisher implements RabbitChannel {
  readonly name = 'rabbitmq';
  readonly checkConfig = checkRabbitConfig;
  readonly destinationOf = rabbitDestination;
  private readonly connection: RabbitConnection;
  private readonly state: UpState;
  private readonly line = new WaitingLine();
  private readonly lanes = new Set<Lane>();
  private batchLane: Lane | null = null;
  private readonly lone = new LoneLanes((link) => this.openLane(link, this.loneHooks, this.expiryMs));
  private answers = new Answers();
  private checks: NodeJS.Timeout | undefined;
  private lastCheckMs = 0;
  private stopped = false;

  constructor(private readonly options: Required<RabbitChannelOptions>) {
    this.connection = new RabbitConnection(options);
    this.state = new UpState(this.name, options.events);
    this.connection.onOpen((link) => this.adopt(link));
    // Also failures before there is a link: refused, black-holed, another topology.
    this.connection.onLost((reason) => this.goDown(reason.text));
  }

  start(): void {
    this.connection.start();
    this.lastCheckMs = performance.now();
    this.checks = setInterval(() => this.check(), this.checkEveryMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.goDown('stopping');
    await this.connection.stop();
    clearInterval(this.checks);
  }

  isUp(): boolean {
    return this.state.isUp();
  }

  downReason(): string | null {
    return this.state.downReason();
  }

  inFlight(): number {
    let count = this.line.size;
    for (const lane of this.lanes) count += lane.pending.size;
    return count;
  }

  send(message: Outgoing): Promise<Outcome> {
    if (!this.isUp()) return Promise.resolve(this.notUp());
    return this.attempt(message);
  }

  async sendAlone(message: Outgoing): Promise<Outcome> {
    const startedMs = performance.now();
    const link = this.connection.current();
    if (!link || !this.isUp()) return this.notUp();
    const lane = await this.lone.take(link).catch((error: unknown) => closeReason(error).text);
    if (typeof lane === 'string') return unknown(lane);
    const outcome = await new Promise<Outcome>((settle) => lane.write(new Publication(message, startedMs, settle)));
    this.lone.giveBack(lane, outcome.kind === 'confirmed');
    return outcome;
  }

  private attempt(message: Outgoing): Promise<Outcome> {
    return new Promise((settle) => this.line.write(new Publication(message, performance.now(), settle)));
  }

  private notUp(): Outcome {
    return unknown(`channel down: ${this.downReason() ?? 'no connection'}`);
  }

  /** Every new link: a lane, then the probe, which nobody waits for. */
  private async adopt(link: Link): Promise<void> {
    this.answers = new Answers();
    const prober = new Prober(() => this.attempt(probeMessage()));
    link.onBlocked = (reason) => this.blocked(link, prober, reason);
    void link.whenClosed.then((reason) => this.linkEnded(link, reason));
    await this.openBatchLane(link);
    void this.prove(link, prober);
  }

  private async prove(link: Link, prober: Prober): Promise<void> {
    const proven = await prober.prove(() => !link.closed && !this.stopped && !this.isUp());
    if (proven && link.blocked === null) this.state.setUp();
  }

  private blocked(link: Link, prober: Prober, reason: string | null): void {
    this.tellBlocked(reason);
    if (reason !== null) this.goDown(`blocked: ${reason}`);
    prober.wake();
    void this.prove(link, prober);
  }

  private tellBlocked(reason: string | null): void {
    this.options.events.emit('channelBlocked', { channel: this.name, blocked: reason !== null, reason: reason ?? '' });
  }

  private async openBatchLane(link: Link): Promise<void> {
    this.batchLane = await this.openLane(link, this.batchHooks);
    this.line.use(this.batchLane);
  }

  private async openLane(link: Link, hooks: LaneHooks, deadlineMs?: number): Promise<Lane> {
    const channel = await link.openConfirmChannel(CHUNKS_HELD, deadlineMs);
    const lane = new Lane(link, channel, this.answers, hooks);
    this.lanes.add(lane);
    // A channel that went in this very moment has told nobody.
    if (link.closed) lane.end(link.closed, false);
    return lane;
  }

  private readonly onReturned = ({ message }: Publication, reason: string): void => {
    const { messageId, exchange, routingKey, taskName } = message;
    if (taskName === 'probe' && exchange === '') return;
    this.options.events.emit('messageReturned', { messageId, exchange, routingKey, reason });
  };

  private readonly batchHooks: LaneHooks = {
    outcomeOfClose: outcomeInCompany,
    onDrain: () => this.line.flush(),
    onReturned: this.onReturned,
    onClosed: (lane) => {
      this.lanes.delete(lane);
      if (lane.retired) return;
      this.line.use(null);
      // Only the channel is gone: reopen only the channel; those that wait have not been written.
      if (lane.link.closed || this.stopped) return;
      this.reopenBatchLane(lane.link);
    },
  };

  private reopenBatchLane(link: Link): void {
    this.openBatchLane(link).catch((error: unknown) => link.destroy(closeReason(error).text));
  }

  /**
   * A quorum queue that was full goes on refusing, on a channel that saw it so, after its limit was lifted
   * (RabbitMQ 3.10); on another channel it does not.
   */
  private leaveRefusingLane(): void {
    const lane = this.batchLane;
    if (!lane || lane.closed || lane.retired || !lane.refusals.anyFor(this.options.attemptTimeoutMs)) return;
    lane.retired = true;
    this.line.use(null);
    this.reopenBatchLane(lane.link);
  }

  private readonly loneHooks: LaneHooks = {
    // The connection has other users; only when nothing of theirs is in flight is the lone message the cause.
    outcomeOfClose: (reason, byChannel) =>
      (byChannel || this.inFlight() === 1 ? outcomeAlone : outcomeInCompany)(reason),
    onDrain: () => undefined,
    onReturned: this.onReturned,
    onClosed: (lane) => void this.lanes.delete(lane),
  };

  private linkEnded(link: Link, reason: CloseReason): void {
    // A connection that is gone is blocked no more, and the next one says for itself whether it is.
    if (link.blocked !== null) this.tellBlocked(null);
    this.goDown(reason.text);
    // Lone lanes first: they look at what else was in flight.
    for (const lane of this.lanes) if (lane !== this.batchLane && lane.link === link) lane.end(reason, false);
    if (this.batchLane?.link === link) this.batchLane.end(reason, false);
  }

  private goDown(why: string): void {
    const reason = this.stopped ? 'stopping' : why;
    this.state.setDown(reason);
    this.line.end(`channel down: ${reason}`);
  }

  private get checkEveryMs(): number {
    return this.options.attemptTimeoutMs / CHECKS_PER_TIMEOUT;
  }

  /** One check early, so that no outcome comes after the attempt's time-out. */
  private get expiryMs(): number {
    return this.options.attemptTimeoutMs - this.checkEveryMs;
  }

  private check(): void {
    const nowMs = performance.now();
    const stalled = nowMs - this.lastCheckMs > 2 * this.checkEveryMs;
    this.lastCheckMs = nowMs;
    // This process stood still: timers run before the sockets are read, where the answers may lie.
    if (stalled) return;
    this.line.expire(nowMs, this.expiryMs);
    let silent: Link | null = null;
    for (const lane of this.lanes) {
      if (lane.pending.expire(nowMs, this.expiryMs)) silent = lane.link;
      lane.closeWhenDone();
    }
    this.leaveRefusingLane();
    // A blocked connection is alive (its heartbeats say so); only what was written is not read.
    if (silent?.blocked === null) silent.destroy(`no answer to any publish for ${this.expiryMs} ms`);
  }
}
