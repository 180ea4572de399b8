import { BlockList, isIP } from 'node:net';

/** Why an address is not one on the public internet: its range's name. */
export type AddressFault = string;

const V4: readonly (readonly [name: string, ...ranges: string[]])[] = [
  ['unspecified', '0.0.0.0/8'],
  ['loopback', '127.0.0.0/8'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['shared by carriers (CGNAT)', '100.64.0.0/10'],
  ['link-local', '169.254.0.0/16'],
  ['for protocols', '192.0.0.0/24', '192.88.99.0/24'],
  ['for documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  ['for benchmarks', '198.18.0.0/15'],
  ['multicast', '224.0.0.0/4'],
  ['broadcast', '255.255.255.255/32'],
  ['reserved', '240.0.0.0/4'],
];

const V6: typeof V4 = [
  ['unspecified', '::/128'],
  ['loopback', '::1/128'],
  ['IPv4-mapped', '::ffff:0:0/96'],
  ['IPv4-compatible', '::/96'],
  ['IPv4-translated', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'],
  ['unique local', 'fc00::/7'],
  ['link-local', 'fe80::/10'],
  ['site-local', 'fec0::/10'],
  ['multicast', 'ff00::/8'],
  ['Teredo', '2001::/32'],
  ['for documentation', '2001:db8::/32', '3fff::/20'],
  ['for protocols', '2001::/23'],
  ['6to4', '2002::/16'],
];

// What is in use lies in here; the rest is refused by name above or as 'not global'.
const GLOBAL_V6 = ranges('ipv6', ['2000::/3']);
const FAULTS = { ipv4: named('ipv4', V4), ipv6: named('ipv6', V6) };

/**
 * Looks at a resolved address by its number, never by its spelling.
 *
 * Forms of IPv6 that carry an IPv4 address (mapped, NAT64, 6to4, Teredo) are refused whatever they carry: a gateway on
 * the way decides where they end.
 *
 * @returns null for a public address
 */
export function addressFault(address: string): AddressFault | null {
  const version = isIP(address);
  // A zone ('fe80::1%eth0') names an interface of this machine.
  if (version === 0 || address.includes('%')) return 'not an address';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  // A range listed first wins; a mapped address would also match the IPv4 rules, so each family has its own.
  const fault = FAULTS[family].find(({ list }) => list.check(address, family));
  if (fault !== undefined) return fault.name;
  return family === 'ipv6' && !GLOBAL_V6.check(address, family) ? 'not global' : null;
}

type Family = 'ipv4' | 'ipv6';

function named(family: Family, table: typeof V4): { name: string; list: BlockList }[] {
  return table.map(([name, ...cidrs]) => ({ name, list: ranges(family, cidrs) }));
}

function ranges(family: Family, cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const slash = cidr.indexOf('/');
    list.addSubnet(cidr.slice(0, slash), Number(cidr.slice(slash + 1)), family);
  }
  return list;
}
