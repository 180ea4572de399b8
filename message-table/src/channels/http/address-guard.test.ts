import { addressFault } from './address-guard.js';
import { vettedAddresses } from './vetted-addresses.js';

const FAULTS: readonly (readonly [address: string, fault: string])[] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['100.64.0.0', 'shared by carriers (CGNAT)'],
  ['100.127.255.255', 'shared by carriers (CGNAT)'],
  ['192.0.0.8', 'for protocols'],
  ['192.0.2.1', 'for documentation'],
  ['198.51.100.7', 'for documentation'],
  ['203.0.113.7', 'for documentation'],
  ['198.19.255.255', 'for benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::7f00:1', 'IPv4-translated'],
  ['64:ff9b:1::a00:1', 'IPv4-translated'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:53aa:64c:0:7fff:ffff:fffe', 'Teredo'],
  ['2001:10::1', 'for protocols'],
  ['2001:db8::1', 'for documentation'],
  ['3fff:fff::1', 'for documentation'],
  ['fc00::1', 'unique local'],
  ['fdff::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['febf::1', 'link-local'],
  ['fe80::1%lo', 'not an address'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['100::1', 'not global'],
  ['1fff::1', 'not global'],
  ['4000::1', 'not global'],
  ['5f00::1', 'not global'],
  ['', 'not an address'],
  ['localhost', 'not an address'],
  ['127.1', 'not an address'],
];

const PUBLIC =
  `1.1.1.1 8.8.8.8 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255
  198.20.0.0 223.255.255.255 2000::1 2001:200::1 2001:4860:4860::8888 2606:4700::1111 3ffe::1 2003::1`.split(/\s+/);

// Each is 127.0.0.1, 10.0.0.1, 169.254.169.254, or one of their IPv6 forms to somebody.
const SPELLINGS = `2130706433 0x7f000001 017700000001 127.1 127.0.1 0177.0.0.1 0x7f.0.0.1 0x7F.1 127.0.0.1.
  ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 10.1 012.1 0xa000001 167772161 2852039166 0xa9fea9fe 0251.0376.0251.0376
  169.254.43518 0 0x0 [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1]
  [64:ff9b::169.254.169.254] [2002:a00:1::] [fe80::1] [fd00:ec2::254]`.split(/\s+/);

const unused = (): never => {
  throw new Error('an address is not looked up');
};

describe('Which addresses messages may go to', () => {
  it.each(FAULTS)('SSRF-01: when an address is %s, then it is refused as %s', (address, fault) => {
    expect(addressFault(address)).toBe(fault);
  });

  it.each(PUBLIC)('when an address is %s, then it is a public one', (address) => {
    expect(addressFault(address)).toBeNull();
  });

  it.each(SPELLINGS)(
    'SSRF-01: when a URL spells its host %s, then the number counts and it is refused',
    async (host) => {
      const url = new URL(`http://${host}:8080/`);
      await expect(vettedAddresses(url, unused, false)).rejects.toThrow(/^its address \S+ is /);
    },
  );

  it('SSRF-01: when one of several addresses is not public, then all are refused', async () => {
    const mixed = [
      { address: '93.184.216.34', family: 4 },
      { address: '::ffff:10.0.0.1', family: 6 },
    ];
    const vetted = vettedAddresses(new URL('https://receiver.test/'), () => Promise.resolve(mixed), false);
    await expect(vetted).rejects.toThrow('its address ::ffff:10.0.0.1 is IPv4-mapped');
  });

  it('SSRF-01: when a name has no address, then it fails closed as an unresolvable one does', async () => {
    const vetted = vettedAddresses(new URL('https://receiver.test/'), () => Promise.resolve([]), true);
    await expect(vetted).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
