import { MessageTableError } from '../../errors.js';

const DEFAULT_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port` as the URL parser writes the host: lower case, numbers as dotted IPv4, IPv6 in brackets. */
export const hostPortOf = (url: URL): string => `${url.hostname}:${url.port || (DEFAULT_PORT[url.protocol] ?? '')}`;

/**
 * Reads a list of `host:port`. One that no URL could ever match is a mistake that would only show as refused messages.
 *
 * @throws MessageTableError `SETTINGS_INVALID`
 */
export function hostPorts(setting: string, entries: readonly string[]): ReadonlySet<string> {
  for (const entry of entries) {
    if (!isHostPort(entry)) {
      throw new MessageTableError(
        'SETTINGS_INVALID',
        `${setting}: '${entry}' is not host:port as a URL would write it`,
      );
    }
  }
  return new Set(entries);
}

export function isHostPort(entry: string): boolean {
  const text = `http://${entry}/`;
  // A star would be a name of its own and match nothing.
  return /^[^*]+:\d+$/.test(entry) && URL.canParse(text) && hostPortOf(new URL(text)) === entry;
}
