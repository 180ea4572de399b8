/** One broker to connect to, with everything percent-decoded. */
export interface BrokerAddress {
  readonly protocol: 'amqp' | 'amqps';
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
}

const DEFAULT_PORT = { amqp: 5672, amqps: 5671 } as const;

/**
 * Reads `AMQP_URL`: one URL or several, separated by commas, tried in turn.
 *
 * Reserved characters in user, password and vhost are percent-encoded, as the AMQP URI
 * specification says; a comma is `%2C`.
 */
export function parseBrokerUrls(list: string): BrokerAddress[] {
  const addresses = list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseBrokerUrl);
  if (addresses.length === 0) throw new Error('AMQP_URL is empty: give amqp://user:password@host:port/vhost');
  return addresses;
}

function parseBrokerUrl(text: string): BrokerAddress {
  if (!URL.canParse(text)) throw invalid(text, 'not a URL');
  const url = new URL(text);
  const protocol = url.protocol.slice(0, -1);
  if (protocol !== 'amqp' && protocol !== 'amqps') throw invalid(text, 'must start with amqp:// or amqps://');
  if (url.hostname === '') throw invalid(text, 'no host');
  if (url.search !== '' || url.hash !== '')
    throw invalid(text, 'has a query or a fragment; the settings AMQP_* say the same');
  return {
    protocol,
    // An IPv6 address is written in brackets in a URL and without them to a socket.
    hostname: decode(text, url.hostname).replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT[protocol] : Number(url.port),
    ...credentials(text, url),
    vhost: vhostOf(text, url.pathname),
  };
}

/** Neither given: the broker's default account. One given: the other is empty, not guest. */
function credentials(text: string, url: URL): { username: string; password: string } {
  if (url.username === '' && url.password === '') return { username: 'guest', password: 'guest' };
  return { username: decode(text, url.username), password: decode(text, url.password) };
}

/**
 * No path: the default vhost `/`. By the letter of the AMQP URI specification a bare slash is
 * the vhost with the empty name; no broker has one, and clients (amqplib among them) read it
 * as the default too, so this does. Everything else is one percent-encoded segment.
 */
function vhostOf(text: string, path: string): string {
  const segment = path.slice(1);
  if (segment === '') return '/';
  if (segment.includes('/')) throw invalid(text, 'the vhost has a slash: write it %2F');
  return decode(text, segment);
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid(text, 'has a % that starts no percent-encoded character; write a percent sign as %25');
  }
}

function invalid(text: string, why: string): Error {
  return new Error(`AMQP_URL ${redact(text)}: ${why}`);
}

/** A URL, or several, fit for logs: the password is left out, also of texts that are no URL. */
export function redact(text: string): string {
  return text.replace(/(:\/\/[^:@/,]*):[^,]*@/g, '$1:***@');
}
