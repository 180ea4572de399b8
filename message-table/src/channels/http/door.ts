import { isIP } from 'node:net';

import { MessageTableError } from '../../errors.js';
import type { MessageAtDoor, StoredConfig } from '../channel.js';
import { addressFault } from './address-guard.js';
import { isHeaderValue, parseHttpConfig, type HttpTarget } from './config.js';
import { hostPortOf } from './host-port.js';
import { isTrace } from './request-headers.js';

export interface DoorRules {
  /** `host:port`, exact. */
  readonly allowed: ReadonlySet<string>;
  /** Of these, which may be at addresses that are not public. */
  readonly privateAllowed: ReadonlySet<string>;
  readonly hasSecret: (name: string) => boolean;
}

/**
 * What can be known of a message before it is written: all but what its name resolves to.
 *
 * @throws MessageTableError `CHANNEL_CONFIG_INVALID`, `DESTINATION_NOT_ALLOWED`, `SECRET_UNKNOWN`, `HEADERS_INVALID`.
 *   No text repeats a value: it may be a secret in the wrong place.
 */
export function checkAtDoor(rules: DoorRules, config: unknown, { headers }: MessageAtDoor): StoredConfig {
  const target = parseHttpConfig(jsonOf(config));
  if ('fault' in target) throw new MessageTableError('CHANNEL_CONFIG_INVALID', target.fault);
  const fault = destinationFault(rules, target.url);
  if (fault !== null) throw new MessageTableError('DESTINATION_NOT_ALLOWED', fault);
  if (target.secretName !== null && !rules.hasSecret(target.secretName)) {
    const text = `There is no usable secret of the name that config.authorization says; SECRET_<NAME> gives one`;
    throw new MessageTableError('SECRET_UNKNOWN', text);
  }
  checkHeaders(headers);
  return { exchange: '', routingKey: '', channelConfig: toText(target) };
}

/** Why nothing may be sent there, as far as the URL alone tells; null when it may. */
export function destinationFault({ allowed, privateAllowed }: Omit<DoorRules, 'hasSecret'>, url: URL): string | null {
  const hostPort = hostPortOf(url);
  if (!allowed.has(hostPort)) return `${hostPort} is not in HTTP_ALLOW`;
  const address = url.hostname.replace(/^\[|\]$/g, '');
  const fault = isIP(address) === 0 || privateAllowed.has(hostPort) ? null : addressFault(address);
  return fault === null ? null : `${hostPort} is not in HTTP_ALLOW_PRIVATE, and its address ${address} is ${fault}`;
}

function jsonOf(config: unknown): string | null {
  try {
    return JSON.stringify(config);
  } catch {
    return null;
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isTrace(name) && isHeaderValue(value)) continue;
    const text =
      'headers may be traceparent and tracestate over http; what the receiver is to see goes into config.headers';
    throw new MessageTableError('HEADERS_INVALID', text);
  }
}

/** One spelling for one meaning: two commands are compared by it. */
function toText({ url, method, headers, secretName }: HttpTarget): string {
  const sorted = Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)));
  const authorization = secretName === null ? {} : { authorization: `secret:${secretName}` };
  return JSON.stringify({ url: url.href, method, headers: sorted, ...authorization });
}
