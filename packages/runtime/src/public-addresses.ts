import { Resolver } from 'node:dns/promises';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An address of a host, as Node takes it in place of a look-up. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Networks of special purpose (IANA), and the metadata service of a cloud that has a public address. */
const SPECIAL_V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
  '192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** Of IPv6 only one block is assigned for public use. These in it are not: those with an IPv4 address inside, and examples. */
const GLOBAL_V6 = '2000::/3';
const SPECIAL_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

function networks(text: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of text.split(' ')) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const specialV4 = networks(SPECIAL_V4, 'ipv4');
const globalV6 = networks(GLOBAL_V6, 'ipv6');
const specialV6 = networks(SPECIAL_V6, 'ipv6');

/** Whether anybody on the internet may have this address: no private, loopback, link-local or reserved one. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4');
  return isIPv6(address) && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

/** Without an answer in this time the next name server is asked. */
const TIMEOUT_MS = 3000;

/**
 * Asks name servers, and not the file of hosts, for the addresses of a host.
 *
 * @throws Error where it has none, or one of them is not public.
 */
export async function publicAddressesOf(host: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
  // Unlike `lookup` this takes none of the threads that files and passwords need.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return allPublic([
      ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 as const })),
      ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 as const })),
    ]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** @throws Error where there is none, or one of them is not public: who names an inner address beside another has a plan. */
export function allPublic(addresses: readonly HostAddress[]): readonly HostAddress[] {
  const areAllPublic = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
  if (!areAllPublic) throw new Error('the host has no public address, or another one too');
  return addresses;
}
