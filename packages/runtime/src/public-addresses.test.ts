import { Resolver } from 'node:dns/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { allPublic, isPublicAddress, publicAddressesOf } from './public-addresses.ts';

it.each([
  ...['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0', '169.253.255.255'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '192.167.255.255', '11.0.0.0', '126.255.255.255'],
  ...['2001:4860:4860::8888', '2a00:1450::1', '2606:4700::1111', '3ffe::1'],
])('A-122: %s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  // Loopback, unspecified, private, shared, link-local with the metadata of clouds, and one with a public address.
  ...[
    '127.0.0.1',
    '127.255.255.255',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.0.1', '192.168.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255', '169.254.169.254'],
  ...['169.254.0.1', '168.63.129.16', '192.0.0.192'],
  // Examples, measurements, relays, multicast, reserved, broadcast.
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  // IPv6: the same, and IPv4 inside of it.
  ...['::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '100::1', '2001:db8::1', '3fff::1'],
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::'],
  ...['2001::1', '2001:0:a00:1::', '4000::1', 'fe80::1%1'],
  // Not an address as it comes from a name server.
  ...['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '010.0.0.1', '1.2.3', '8.8.8.8 '],
])('A-122: %j is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it('A-122: a host with one inner address among public ones is not asked, nor one without any', () => {
  const at = (address: string) => ({ address, family: 4 as const });
  expect(allPublic([at('8.8.8.8'), at('1.1.1.1')])).toHaveLength(2);
  expect(() => allPublic([at('8.8.8.8'), at('10.0.0.1')])).toThrow('public');
  expect(() => allPublic([])).toThrow('public');
});

afterEach(() => vi.restoreAllMocks());

it.each([
  ['public ones alone', ['93.184.215.14'], ['2606:4700::1111'], true],
  ['no address of IPv6', ['93.184.215.14'], null, true],
  ['an inner one beside a public one', ['93.184.215.14', '10.0.0.7'], null, false],
  ['an inner one of IPv6', ['93.184.215.14'], ['fd00::1'], false],
])('A-122: a host of which name servers know %s is asked at all of them or not', async (_what, v4, v6, isAsked) => {
  const answer = (addresses: readonly string[] | null) => {
    if (addresses === null) throw new Error('ENODATA');
    return [...addresses];
  };
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(async () => answer(v4));
  vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(async () => answer(v6));
  const asked = publicAddressesOf('receptor.example.com', AbortSignal.timeout(1000));
  const all = [
    ...v4.map((address) => ({ address, family: 4 })),
    ...(v6 ?? []).map((address) => ({ address, family: 6 })),
  ];
  if (isAsked) expect(await asked).toEqual(all);
  else await expect(asked).rejects.toThrow('public');
});

it.each(['localhost', '127.0.0.1', 'no-such-host.invalid'])('A-122: %s is looked up in vain', async (host) => {
  await expect(publicAddressesOf(host, AbortSignal.timeout(100))).rejects.toThrow();
});
