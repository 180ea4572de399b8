import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { addressFault } from './address-guard.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. Rejects when there are none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const lookupAll: Lookup = (hostname) => systemLookup(hostname, { all: true });

/** A URL's host that is or resolves to an address where messages must not go. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * Resolves a URL's host once. The connection is then made to these addresses and no second look-up can differ
 * (DNS rebinding).
 *
 * @throws AddressRefused when any of the addresses is not public, for a mixed answer is not an honest one
 */
export async function vettedAddresses(
  url: URL,
  lookup: Lookup,
  privateAllowed: boolean,
): Promise<readonly ResolvedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
  // Fails closed, and as an unresolvable name does.
  if (addresses.length === 0) throw Object.assign(new Error('no addresses'), { code: 'ENODATA' });
  for (const { address } of addresses) {
    const fault = isIP(address) === 0 ? 'not an address' : privateAllowed ? null : addressFault(address);
    if (fault !== null) throw new AddressRefused(`its address ${address} is ${fault}`);
  }
  return addresses;
}
