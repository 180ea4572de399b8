import { lookup } from 'node:dns/promises';

export interface Address {
  readonly host: string;
  readonly port: number;
}

const WILDCARDS = new Set(['', '0.0.0.0', '::']);

/** 'host:port' or '[v6]:port'. Port 0 is what an unreadable text gets: nobody can be reached there. */
export function splitAddress(text: string): Address {
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  const host = text.slice(0, Math.max(0, colon)).replace(/^\[(.*)\]$/, '$1');
  return { host, port: isPort(port) && colon >= 0 ? port : 0 };
}

export const joinAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Where to listen, as numbers: IPv4 first, every wildcard as '::'. Rejects with an error whose message is for the
 * client. An empty text is a random port on all interfaces.
 */
export async function resolveListen(text: string): Promise<Address> {
  if (text === '') return { host: '::', port: 0 };
  const colon = text.lastIndexOf(':');
  if (colon < 0) throw new Error(`listen tcp: address ${text}: missing port in address`);
  if (!isPort(Number(text.slice(colon + 1)))) throw new Error(`listen tcp: address ${text}: invalid port`);
  const { host, port } = splitAddress(text);
  return WILDCARDS.has(host) ? { host: '::', port } : { host: await resolveHost(host), port };
}

async function resolveHost(host: string): Promise<string> {
  try {
    const found = await lookup(host, { all: true });
    return (found.find(({ family }) => family === 4) ?? found[0])?.address ?? host;
  } catch {
    throw new Error(`listen tcp: lookup ${host}: no such host`);
  }
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;
