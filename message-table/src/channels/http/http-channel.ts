import { DEFAULT_OPTIONS } from '../../default-options.js';
import type { Channel, Outgoing, StoredConfig } from '../channel.js';
import { busy, lacking, refusedForGood, type Outcome } from '../outcome.js';
import { codeOf, toOutcome, verdictOfError, verdictOfStatus, type Ending } from './answers.js';
import { isHeaderValue, parseHttpConfig, type HttpTarget } from './config.js';
import { checkAtDoor, destinationFault, type DoorRules } from './door.js';
import { startDeadline, type AttemptDeadline } from './deadline.js';
import { exchange } from './exchange.js';
import { HostPlaces } from './host-places.js';
import { hostPortOf, hostPorts } from './host-port.js';
import { RecentSuccesses } from './recent-successes.js';
import { requestHeaders } from './request-headers.js';
import { retryAfterMs } from './retry-after.js';
import { shareLookups } from './share-lookups.js';
import { AddressRefused, lookupAll, vettedAddresses, type Lookup } from './vetted-addresses.js';

export interface HttpChannelOptions {
  /** Where messages may go at all: `host:port`, exact. Each is open to whoever may accept a message. */
  readonly allow: readonly string[];
  /** Of these, which may be at addresses that are not public. */
  readonly allowPrivate?: readonly string[];
  /** Over look-up, connecting, headers and body. Longer: a silent host holds places longer. */
  readonly attemptTimeoutMs?: number;
  /** Requests to one host at once. More: a slow one holds more of the places that other hosts need as well. */
  readonly perHost?: number;
  /** So much of an answer is read. More: memory for what nobody uses. */
  readonly maxAnswerBytes?: number;
  /** A success to the same host so recent makes trouble the message's own. Longer: an outage that begins uses up attempts. */
  readonly breakerWindowMs?: number;
  /** The whole value of `Authorization` ('Bearer …') by the name in `secret:NAME`; asked for at every attempt. */
  readonly secrets?: (name: string) => string | undefined;
  /** Finds the addresses of a host; the system's resolver unless given. */
  readonly lookup?: Lookup;
}

type Complete = Required<HttpChannelOptions>;

const DEFAULTS = { ...DEFAULT_OPTIONS.httpChannel, secrets: () => undefined, lookup: lookupAll };

/**
 * Sends each message as one HTTP request; docs/reference/http-answers.md says what each answer does.
 *
 * @throws MessageTableError `SETTINGS_INVALID` when an entry of a list is not `host:port`
 */
export function createHttpChannel(options: HttpChannelOptions): Channel {
  const complete = { ...DEFAULTS, ...options };
  const channel = new HttpChannel({ ...complete, lookup: shareLookups(complete.lookup) });
  const send = (message: Outgoing): Promise<Outcome> => channel.send(message);
  return {
    name: 'http',
    isUp: () => true,
    checkConfig: (config, message) => checkAtDoor(channel.rules, config, message),
    destinationOf: httpDestination,
    send,
    // Every attempt has a connection of its own, so each is alone.
    sendAlone: send,
  };
}

/** `https://hooks.example:443`: breakers and pauses are about a host, not about one of its paths. */
function httpDestination({ channelConfig }: StoredConfig): string {
  const config = parseHttpConfig(channelConfig);
  return 'fault' in config ? 'unreadable' : `${config.url.protocol}//${hostPortOf(config.url)}`;
}

/** Of the time that an attempt may take: only hosts that answer much sooner than that are waited for. */
const SHARE_OF_WAITING = 0.2;

const LONGEST_WAIT_FOR_SECRET_MS = 60_000;

/**
 * Whoever runs this process has left it out or not put it there yet. The older the message, the longer it waits, so
 * that many of them are not asked about all the time.
 */
function secretMissing(name: string, { createdMs }: Outgoing): Outcome {
  const pauseMs = Math.min(Date.now() - createdMs, LONGEST_WAIT_FOR_SECRET_MS);
  return { ...lacking(`Secret ${name} is missing or unusable`), pauseMs };
}

class HttpChannel {
  readonly rules: DoorRules;
  private readonly successes: RecentSuccesses;
  private readonly places: HostPlaces;

  constructor(private readonly options: Complete) {
    this.rules = {
      allowed: hostPorts('HTTP_ALLOW', options.allow),
      privateAllowed: hostPorts('HTTP_ALLOW_PRIVATE', options.allowPrivate),
      hasSecret: (name) => this.authorization(name) !== undefined,
    };
    this.successes = new RecentSuccesses(options.breakerWindowMs);
    this.places = new HostPlaces(options.perHost, options.attemptTimeoutMs * SHARE_OF_WAITING);
  }

  async send(message: Outgoing): Promise<Outcome> {
    const config = parseHttpConfig(message.channelConfig);
    if ('fault' in config) return refusedForGood(config.fault);
    const fault = destinationFault(this.rules, config.url);
    if (fault !== null) return refusedForGood(fault);
    const authorization = this.authorization(config.secretName);
    if (authorization === undefined) return secretMissing(String(config.secretName), message);

    const hostPort = hostPortOf(config.url);
    using deadline = startDeadline(this.options.attemptTimeoutMs);
    const place = await this.places.take(hostPort);
    if (typeof place === 'number') return { ...busy(`Enough requests to ${hostPort} are under way`), pauseMs: place };
    using _ = place;
    const ending = await this.attempt(message, config, authorization, deadline);
    if (ending.verdict === 'confirmed') this.successes.note(hostPort);
    return toOutcome(ending, this.successes.has(hostPort));
  }

  private authorization(secretName: string | null): string | null | undefined {
    if (secretName === null) return null;
    try {
      const value = this.options.secrets(secretName);
      return value !== undefined && value !== '' && isHeaderValue(value) ? value : undefined;
    } catch {
      return undefined; // what it throws may quote the secret
    }
  }

  private async attempt(
    message: Outgoing,
    config: HttpTarget,
    authorization: string | null,
    deadline: AttemptDeadline,
  ): Promise<Ending> {
    const hostPort = hostPortOf(config.url);
    try {
      const answer = await this.exchange(message, config, authorization, deadline);
      const pauseMs = retryAfterMs(answer.retryAfter, Date.now());
      return { verdict: verdictOfStatus(answer.status), reason: `${hostPort} answered ${answer.status}`, pauseMs };
    } catch (error) {
      return this.endingOf(error, hostPort, deadline);
    }
  }

  private async exchange(
    message: Outgoing,
    config: HttpTarget,
    authorization: string | null,
    deadline: AttemptDeadline,
  ): ReturnType<typeof exchange> {
    const { lookup, attemptTimeoutMs, maxAnswerBytes } = this.options;
    const privateAllowed = this.rules.privateAllowed.has(hostPortOf(config.url));
    const addresses = await deadline.within(vettedAddresses(config.url, lookup, privateAllowed));
    const headers = requestHeaders(message, config, authorization);
    const request = { url: config.url, method: config.method, headers, content: message.content, addresses };
    return exchange(request, { deadline: deadline.signal, attemptTimeoutMs, maxAnswerBytes });
  }

  private endingOf(error: unknown, hostPort: string, { signal }: AttemptDeadline): Ending {
    if (error instanceof AddressRefused)
      return { verdict: 'refused for good', reason: `${hostPort}: ${error.message}` };
    if (signal.aborted) {
      return { verdict: 'trouble', reason: `No answer of ${hostPort} in ${this.options.attemptTimeoutMs} ms` };
    }
    const verdict = verdictOfError(error);
    return { verdict, reason: `No answer of ${hostPort}: ${codeOf(error)}` };
  }
}
